/// The version of this package: of the program and of its libraries. The Makefile reads it here, too.
package let packageVersion = "0.1.0"
