// The module Dashboard.
