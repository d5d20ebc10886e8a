/// The scenarios of the simulator, embedded in the program: one JSON5 file each.
public enum Scenarios {
}
