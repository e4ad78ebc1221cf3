# Sets STICKSLIP_PYTHON_FOUND where Python's headers, numpy and pybind11 are; Python_EXECUTABLE is then that Python: the
# one given, else the first of these that has numpy. The python3 that stands first on PATH often is another than Debian's,
# whose packages are those of scripts/install-packages python.
set(STICKSLIP_PYTHON_FOUND OFF)
if(NOT Python_EXECUTABLE)
    foreach(python python3 /usr/bin/python3)
        execute_process(COMMAND ${python} -c "import numpy, sys; print(sys.executable)" OUTPUT_VARIABLE executable
            RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        if(status EQUAL 0)
            set(Python_EXECUTABLE ${executable} CACHE FILEPATH "The Python that the module is for")
            break()
        endif()
    endforeach()
endif()
if(Python_EXECUTABLE)
    find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
    if(Python_FOUND) # else pybind11 looks for another one, and stops where there is none
        find_package(pybind11 2.10 QUIET CONFIG)
    endif()
    if(pybind11_FOUND)
        set(STICKSLIP_PYTHON_FOUND ON)
    endif()
endif()
