/// All commands of the program.
///
/// A test compares the list with the types in `Sources/Commands` that conform to ``Command``.
package enum CommandList {
  /// The command that runs if the first argument names none.
  package static let standard: any Command.Type = DashboardCommand.self

  /// The named commands, in the order of the help.
  package static let named: [any Command.Type] = [
    DemoCommand.self,
    StatsCommand.self,
    ExportCommand.self,
    TailCommand.self,
    ShipCommand.self,
    RecordCommand.self,
    ImportCommand.self,
    OptimizeCommand.self,
    DoctorCommand.self,
    CheckCommand.self,
    SnapshotCommand.self,
    SendCommand.self,
    SimulateCommand.self,
    ReproduceCommand.self,
    InfoCommand.self,
    VersionCommand.self,
    CompletionsCommand.self,
    ManualCommand.self,
  ]
}
