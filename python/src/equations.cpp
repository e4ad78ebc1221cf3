#include "arguments.h"
#include "arrays.h"
#include "bindings.h"
#include "driven_simulation.h"

#include "stickslip/math/error.h"
#include "stickslip/simulation/step_system.h"

#include <algorithm>
#include <cmath>

namespace stickslip::python {

namespace {

using Numbers = py::array_t<double>;

/// The equations of a step, as long as the simulation is not steered.
class Equations {
public:
    Equations(py::object simulation, const py::object& dt)
        : owner_(std::move(simulation))
        , driven_(demanded(owner_))
        , changes_(driven_.changes())
        , system_(driven_.simulation(), valid(to_number(dt, "dt")))
    {
    }

    std::size_t size() const { return system_.size(); }

    Numbers residual(const py::object& z)
    {
        return call(z, "z", [this](auto in, auto out) { system_.residual(in, out); });
    }
    Numbers apply(const py::object& v)
    {
        return call(v, "v", [this](auto in, auto out) { system_.apply(in, out); });
    }
    Numbers apply_transpose(const py::object& w)
    {
        return call(w, "w", [this](auto in, auto out) { system_.apply_transpose(in, out); });
    }

    /// Blocks, columns and beginnings of rows as scipy's bsr_matrix takes them; copies.
    py::tuple matrix()
    {
        demand_unsteered();
        const MatrixView H = driven_.alone([this] { return system_.matrix(); });
        Numbers blocks({H.column.size(), std::size_t(3), std::size_t(3)});
        double* to = blocks.mutable_data();
        for (std::size_t k = 0; k < H.column.size(); ++k)
            for (std::size_t i = 0; i < 3; ++i)
                for (std::size_t j = 0; j < 3; ++j)
                    *to++ = H.values[9 * k + 3 * j + i];
        return py::make_tuple(blocks, integers(H.column), integers(H.row_begin));
    }

private:
    static const DrivenSimulation& demanded(const py::object& simulation)
    {
        if (!py::isinstance<DrivenSimulation>(simulation))
            throw py::type_error("simulation: expected a stickslip.Simulation, found "
                + std::string(py::repr(py::type::handle_of(simulation))));
        return simulation.cast<const DrivenSimulation&>();
    }

    static double valid(double dt)
    {
        if (!(dt >= 0) || !std::isfinite(dt))
            throw InputError(
                "dt: expected a finite time > 0 s, or 0 for the nominal step, found " + std::to_string(dt));
        return dt;
    }

    static py::array_t<int> integers(std::span<const int> numbers)
    {
        return py::array_t<int>(static_cast<py::ssize_t>(numbers.size()), numbers.data());
    }

    void demand_unsteered() const
    {
        if (driven_.changes() != changes_)
            throw InputError("the simulation was steered or restored since its equations were made: expected new ones");
    }

    template <typename Call>
    Numbers call(const py::object& given, const char* what, const Call& equation)
    {
        demand_unsteered();
        const auto count = static_cast<py::ssize_t>(size());
        const Numbers in = real_array(given, what, {count});
        Numbers out(count);
        const std::span<const double> from(in.data(), size());
        const std::span<double> to(out.mutable_data(), size());
        driven_.alone([&] { equation(from, to); });
        return out;
    }

    py::object owner_; // keeps what follows alive
    const DrivenSimulation& driven_;
    long changes_;
    StepSystem system_;
};

} // namespace

void bind_equations(py::module_& module)
{
    py::class_<Equations>(module, "Equations")
        .def(py::init<py::object, py::object>())
        .def_property_readonly("size", &Equations::size, "Length of z, g and of the vectors of both products.")
        .def("residual", &Equations::residual, py::arg("z"),
            "g(z), (size,) [kg^1/2 m/s]; `z` (size,) in the same unit. What follows is at the z given last.")
        .def("apply", &Equations::apply, py::arg("v"), "H v, (size,), without the matrix; H = dg/dz [-].")
        .def("apply_transpose", &Equations::apply_transpose, py::arg("w"), "H^T w, (size,), without the matrix.")
        .def("_matrix", &Equations::matrix);
}

} // namespace stickslip::python
