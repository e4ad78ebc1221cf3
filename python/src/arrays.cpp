#include "arrays.h"

#include "stickslip/math/error.h"

#include <cmath>
#include <string>

namespace stickslip::python {

namespace {

std::string shape_text(const std::vector<py::ssize_t>& shape)
{
    std::string text;
    for (const py::ssize_t extent : shape)
        text += (text.empty() ? "" : ", ") + (extent < 0 ? std::string("any") : std::to_string(extent));
    return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

[[noreturn]] void refuse(const char* what, const std::vector<py::ssize_t>& shape, const std::string& found)
{
    throw InputError(std::string(what) + ": expected real numbers of shape " + shape_text(shape) + ", found " + found);
}

bool has_shape(const py::array& array, const std::vector<py::ssize_t>& shape)
{
    bool same = array.ndim() == static_cast<py::ssize_t>(shape.size());
    for (py::ssize_t axis = 0; same && axis < array.ndim(); ++axis)
        same = shape[axis] < 0 || array.shape(axis) == shape[axis];
    return same;
}

} // namespace

py::array read_only(py::array array)
{
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
    return array;
}

py::array rows_array(const Rows& rows, py::handle owner)
{
    std::vector<std::size_t> shape = {rows.count}, strides = {rows.stride * sizeof(double)};
    if (rows.columns > 1) {
        shape.push_back(rows.columns);
        strides.push_back(sizeof(double));
    }
    return read_only(py::array(py::dtype::of<double>(), shape, strides, rows.data, owner));
}

py::array vector_array(const std::vector<Vec3>& vectors, py::handle owner)
{
    return rows_array({vectors.empty() ? nullptr : vectors.front().data(), vectors.size(), 3, 3}, owner);
}

py::array to_array(const Vec3& v)
{
    return py::array_t<double>(3, v.data());
}

py::array_t<double> real_array(py::handle value, const char* what, const std::vector<py::ssize_t>& shape)
{
    const py::array array = py::array::ensure(value);
    if (!array) {
        PyErr_Clear();
        refuse(what, shape, py::repr(value));
    }
    if (std::string("iuf").find(array.dtype().kind()) == std::string::npos)
        refuse(what, shape, "dtype " + std::string(py::str(array.dtype())));
    if (!has_shape(array, shape))
        refuse(
            what, shape, "shape " + shape_text(std::vector<py::ssize_t>(array.shape(), array.shape() + array.ndim())));
    const auto numbers = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(array);
    for (py::ssize_t i = 0; i < numbers.size(); ++i)
        if (!std::isfinite(numbers.data()[i]))
            throw InputError(std::string(what) + ": expected finite numbers, found " + std::to_string(numbers.data()[i])
                + " at place " + std::to_string(i));
    return numbers;
}

Vec3 to_vec3(py::handle value, const char* what)
{
    const py::array_t<double> numbers = real_array(value, what, {3});
    return {numbers.data()[0], numbers.data()[1], numbers.data()[2]};
}

} // namespace stickslip::python
