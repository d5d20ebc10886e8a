// Calls each library that the program links, so that a machine without one of them is found out before a long build.
import CNcurses
import CQuietStart
import CSQLite
import CZlib
import Essentials

occupy_standard_streams()
_ = (shim_colors(), zlibVersion(), sqlite3_libversion_number(), Date.now.timeIntervalSince1970)
