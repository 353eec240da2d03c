// What the tests of a part are compiled with, ahead of them (CMakeLists.txt); there is nothing in it.
