#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A shell of the smallest kind: runs a program as its foreground job, so that it can be stopped.
///
/// A process whose group has no parent in the session cannot be stopped by Ctrl-Z; under this one it can. When the job
/// has stopped, a line from the keyboard continues it.
enum Session {
  static func run(_ program: [String]) -> Int32 {
    // The terminal is taken back from a job that stopped while we are in the background.
    signal(SIGTTOU, SIG_IGN)
    guard let job = start(program) else { return 99 }
    var hasStopped = false
    while true {
      tcsetpgrp(STDIN_FILENO, job)
      // Never before it has stopped: a stop that is on its way would be taken back.
      if hasStopped { kill(-job, SIGCONT) }
      hasStopped = true
      var status: Int32 = 0
      guard waitpid(job, &status, WUNTRACED) == job else { return 98 }
      tcsetpgrp(STDIN_FILENO, getpgrp())
      if status & 0xFF != 0x7F { return status & 0x7F == 0 ? status >> 8 & 0xFF : 97 }
      // It was quicker than we were in giving it the terminal.
      if status >> 8 & 0xFF == SIGTTOU { continue }
      write(STDOUT_FILENO, "job-stopped", 11)
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) == 1, byte != 0x0A {}
    }
  }

  private static func start(_ program: [String]) -> pid_t? {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTTOU)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var arguments = program.map { strdup($0) } + [nil]
    defer {
      for text in arguments { free(text) }
      posix_spawnattr_destroy(&attributes)
    }
    var job: pid_t = 0
    guard let first = program.first else { return nil }
    return posix_spawn(&job, first, nil, &attributes, &arguments, environ) == 0 ? job : nil
  }
}
