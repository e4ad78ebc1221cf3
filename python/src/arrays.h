#pragma once

#include "stickslip/simulation/state_view.h"

#include <pybind11/numpy.h>

#include <vector>

namespace stickslip::python {

namespace py = pybind11;

/// Makes an array read-only: what a simulation owns is changed by its methods alone.
py::array read_only(py::array array);

/// Rows of doubles, whatever they are rows of: row i is the `columns` numbers from data + i * stride on.
struct Rows {
    const double* data = nullptr;
    std::size_t count = 0, columns = 0, stride = 0;

    template <typename Row>
    static Rows of(const RowsView<Row>& view)
    {
        return {view.data, view.size(), view.columns, view.stride};
    }
};

/// Rows in memory that `owner` keeps alive, as a read-only array of shape (count, columns), or (count) where there is
/// one column. Nothing is copied.
py::array rows_array(const Rows& rows, py::handle owner);

/// A vector of plain numbers that `owner` keeps alive.
template <typename Number>
py::array vector_array(const std::vector<Number>& numbers, py::handle owner)
{
    return read_only(py::array(py::dtype::of<Number>(), {numbers.size()}, {sizeof(Number)}, numbers.data(), owner));
}
py::array vector_array(const std::vector<Vec3>& vectors, py::handle owner);

py::array to_array(const Vec3& v);

/// Whatever numpy takes for an array of real numbers. `what` is named in errors. InputError: other types, another shape
/// (an extent of -1 is any), numbers that are not finite.
py::array_t<double> real_array(py::handle value, const char* what, const std::vector<py::ssize_t>& shape);
Vec3 to_vec3(py::handle value, const char* what);

} // namespace stickslip::python
