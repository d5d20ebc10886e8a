/// The version of the program and of the libraries.
///
/// The Makefile reads it from this file, too.
package let packageVersion = "0.1.0"
