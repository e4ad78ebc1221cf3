#include "arrays.h"
#include "bindings.h"

#include "stickslip/simulation/state_view.h"

namespace stickslip::python {

namespace {

const Contacts& contacts(const py::object& self)
{
    return self.cast<const Contacts&>();
}

/// The getter of one array, which keeps all of them alive.
template <typename Vector>
auto getter(Vector Contacts::*member)
{
    return [member](const py::object& self) { return vector_array(contacts(self).*member, self); };
}

/// nan where there is no slip: explicit simulations.
py::array slip(const py::object& self)
{
    if (contacts(self).slip.size() == contacts(self).size())
        return vector_array(contacts(self).slip, self);
    py::array_t<double> none({contacts(self).size(), std::size_t(3)});
    std::fill_n(none.mutable_data(), none.size(), nan);
    return read_only(none);
}

} // namespace

void bind_contacts(py::module_& module)
{
    py::class_<Contacts>(module, "Contacts",
        "All contacts of the step that led to a state, an entry each; the arrays are read-only and stay as they are. "
        "Of an implicit simulation empty at first and after restore().")
        .def("__len__", &Contacts::size)
        .def_property_readonly(
            "first", getter(&Contacts::first), "(n,) int: whose contact it is, an index into bodies.")
        .def_property_readonly("second", getter(&Contacts::second), "(n,) int: on whose surface, an index into bodies.")
        .def_property_readonly("first_point", getter(&Contacts::first_point),
            "(n,) int: node, surface point or sphere id of the first body; -1: its surface.")
        .def_property_readonly(
            "second_point", getter(&Contacts::second_point), "(n,) int: the same of the second body.")
        .def_property_readonly("point", getter(&Contacts::point), "(n, 3) [m] where it is.")
        .def_property_readonly("normal", getter(&Contacts::normal), "(n, 3) unit, out of the second body.")
        .def_property_readonly(
            "force", getter(&Contacts::force), "(n, 3) [N] on the first body; the second takes its opposite.")
        .def_property_readonly(
            "slip", &slip, "(n, 3) [m] of the last step, along the surface; nan in explicit simulations.")
        .def_property_readonly("depth", getter(&Contacts::depth), "(n,) [m]")
        .def_property_readonly(
            "sticks",
            [](const py::object& self) { return vector_array(contacts(self).sticks, self).attr("view")("bool"); },
            "(n,) bool: within the friction cone; False: at its limit.");
}

} // namespace stickslip::python
