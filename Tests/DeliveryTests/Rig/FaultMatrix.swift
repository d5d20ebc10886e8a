import Testing

/// The rows of the fault matrix that need no process of their own.
@Suite("The fault matrix of the delivery client")
struct FaultMatrix {}
