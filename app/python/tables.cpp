// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/tables.h"

#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/base/field.h"
#include "engine/io/open/open_fields.h"
#include "engine/options/options.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <span>

namespace binding
{

namespace py = pybind11;
using namespace engine;

namespace
{

template <typename Owner>
py::dict rowOf(const Field<Owner>& field, const Owner& owner)
{
    static constexpr std::pair<FieldKind, const char*> kinds[] = {
        {FieldKind::choice, "choice"}, {FieldKind::whole, "whole"},     {FieldKind::real, "real"},
        {FieldKind::length, "length"}, {FieldKind::boolean, "boolean"}, {FieldKind::bytes, "bytes"},
        {FieldKind::text, "text"},     {FieldKind::file, "file"}};
    py::dict one;
    one["id"] = field.id;
    one["label"] = field.label;
    one["summary"] = field.summary;
    one["unit"] = field.unit;
    one["kind"] = std::ranges::find(kinds, field.kind, &std::pair<FieldKind, const char*>::first)->second;
    py::list choices;
    for (const FieldChoice& choice : field.choices)
        choices.append(choice.id);
    one["choices"] = choices;
    one["default"] = field.get ? field.get(owner) : std::string();
    return one;
}

template <typename Owner>
py::list tableOf(std::span<const Field<Owner>> fields)
{
    py::list list;
    for (const Field<Owner>& field : fields)
        list.append(rowOf(field, Owner{}));
    return list;
}

} // namespace

py::list methodTable()
{
    py::list list;
    for (const Method& method : methods()) {
        py::dict one;
        one["id"] = method.id;
        one["label"] = method.label;
        one["summary"] = method.summary;
        one["reference"] = method.reference;
        one["device"] = method.backend->id;
        one["geometry"] = method.takes(ConeBeam{}) ? "cone" : "parallel";
        list.append(one);
    }
    return list;
}

py::list optionTable()
{
    return tableOf<Request>(options());
}

py::list openingTable()
{
    return tableOf<OpenOptions>(openFields());
}

} // namespace binding
