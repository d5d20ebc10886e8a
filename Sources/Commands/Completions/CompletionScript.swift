/// The scripts that ask the program itself for the words that fit.
///
/// The answer begins with a line `files`, where files fit too, or `words`; each further line is a word, a tab and its
/// help. Words that end with `=` wait for a value.
enum CompletionScript {
  static func text(for shell: CompletionsCommand.Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  private static let bash = #"""
    # bash completion for mistertop
    _mistertop() {
      local kind candidate
      COMPREPLY=()
      {
        IFS= read -r kind
        while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done
      } < <("${1/#\~\//$HOME/}" completions bash -- "$COMP_WORDBREAKS" "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
      if [[ $kind == files ]]; then compopt -o default; fi
      if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
    }
    complete -F _mistertop mistertop

    """#

  private static let zsh = #"""
    #compdef mistertop
    # zsh completion for mistertop
    _mistertop() {
      local -a lines waiting complete
      local line word
      lines=("${(@f)$(${~${(Q)words[1]}} completions zsh -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
      for line in "${(@)lines[2,-1]}"; do
        word=${line%%$'\t'*}
        word="${${word//\\/\\\\}//:/\\:}:${line#*$'\t'}"
        if [[ $line == *=$'\t'* ]]; then waiting+=("$word"); else complete+=("$word"); fi
      done
      (( $#waiting )) && _describe -t options option waiting -S ''
      (( $#complete )) && _describe -t values value complete
      if [[ $lines[1] == files ]]; then
        [[ $PREFIX == --*=* ]] && compset -P '*='
        _files
      fi
    }
    if [[ $funcstack[1] == _mistertop ]]; then _mistertop "$@"; else compdef _mistertop mistertop; fi

    """#

  private static let fish = #"""
    # fish completion for mistertop
    function __mistertop_complete
        set -l words (commandline -opc)
        set -l token (commandline -ct)
        set -l plain (string unescape -- $token; or string trim -l -c "'\"" -- $token)
        set -l lines ($words[1] completions fish -- $words[2..] "$plain" 2>/dev/null)
        printf '%s\n' $lines[2..]
        if test "$lines[1]" = files
            set -l option (string match -r -- '^--[^=]*=' $plain)
            for path in (__fish_complete_path (string replace -r -- '^--[^=]*=' '' $plain))
                echo "$option$path"
            end
        end
    end
    complete -c mistertop -f -a '(__mistertop_complete)'

    """#
}
