// The headers that the tests of a part are compiled with (CMakeLists.txt); otherwise empty.
