#include "followed_arrays.h"

#include "stickslip/simulation/simulation_parts.h"

#include <algorithm>
#include <limits>

namespace stickslip::python {

namespace {

/// Row of each key, -1: it has left.
std::vector<int> rows_by_key(const std::vector<int>& keys)
{
    std::vector<int> rows(keys.empty() ? 0 : 1 + *std::max_element(keys.begin(), keys.end()), -1);
    for (std::size_t row = 0; row < keys.size(); ++row)
        rows[keys[row]] = static_cast<int>(row);
    return rows;
}

} // namespace

struct FollowedArrays::Followed {
    std::shared_ptr<const FollowedColumn> column;
    std::vector<int> keys; // rising
    std::size_t columns;
    std::vector<double> numbers;

    void update(const Simulation& simulation)
    {
        const Rows from = column->rows(simulation.state());
        const std::vector<int> row_of = rows_by_key(column->keys(simulation));
        double* to = numbers.data();
        for (const int key : keys) {
            const int row = static_cast<std::size_t>(key) < row_of.size() ? row_of[key] : -1;
            if (row < 0)
                std::fill_n(to, columns, std::numeric_limits<double>::quiet_NaN());
            else
                std::copy_n(from.data + from.stride * static_cast<std::size_t>(row), columns, to);
            to += columns;
        }
    }
};

std::vector<int> sphere_keys(const Simulation& simulation)
{
    const std::span<const int> ids = simulation.state().spheres.ids;
    return {ids.begin(), ids.end()};
}

std::vector<int> body_keys(const Simulation& simulation)
{
    const SphereSystem& system = simulation.parts().spheres->system();
    const std::vector<GranularBody>& bodies = system.world().bodies;
    const auto comes_and_leaves = [](const GranularBody& body) { return body.kind >= 0; };
    const auto staying = static_cast<int>(bodies.size())
        - static_cast<int>(std::count_if(bodies.begin(), bodies.end(), comes_and_leaves));
    std::vector<int> keys;
    for (std::size_t b = 0; b < bodies.size(); ++b)
        keys.push_back(
            comes_and_leaves(bodies[b]) ? staying + system.state().body_spheres[b].first : static_cast<int>(b));
    return keys;
}

py::array FollowedArrays::array(const Simulation& simulation, const std::shared_ptr<const FollowedColumn>& column)
{
    std::erase_if(arrays_, [](const std::weak_ptr<Followed>& array) { return array.expired(); });
    std::vector<int> keys = column->keys(simulation);
    std::sort(keys.begin(), keys.end());
    std::shared_ptr<Followed> found;
    for (const std::weak_ptr<Followed>& known : arrays_)
        if (const std::shared_ptr<Followed> array = known.lock();
            array && array->column == column && array->keys == keys)
            found = array;
    if (!found) {
        const std::size_t columns = column->rows(simulation.state()).columns;
        found = std::make_shared<Followed>(column, keys, columns, std::vector<double>(columns * keys.size()));
        found->update(simulation);
        arrays_.push_back(found);
    }
    const py::capsule owner(new std::shared_ptr<Followed>(found),
        [](void* memory) { delete static_cast<std::shared_ptr<Followed>*>(memory); });
    return rows_array({found->numbers.data(), keys.size(), found->columns, found->columns}, owner);
}

void FollowedArrays::update(const Simulation& simulation) const
{
    for (const std::weak_ptr<Followed>& known : arrays_)
        if (const std::shared_ptr<Followed> array = known.lock())
            array->update(simulation);
}

} // namespace stickslip::python
