import Platform
import Sync

/// Resolves conflicts as specified by the script, or else by the engine's own rule.
struct SeenConflicts: ConflictResolver {
  let world: Locked<SimulatedWorld>

  func resolve(_ conflict: SyncConflict) -> ConflictResolution {
    switch world.withLock({ $0.answers.localWins[conflict.entity] }) {
    case true?: .keepLocal
    case false?: .takeRemote
    case nil: LocalMembersWin().resolve(conflict)
    }
  }
}
