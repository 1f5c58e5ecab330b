// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/saving/figure_choices.h"

#include "ui/background/comparison.h"
#include "ui/image/figure.h"
#include "ui/image/image_panel.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/planes_panel.h"
#include "ui/views/views.h"

#include <QCoreApplication>

namespace ui
{

namespace
{

QString figureText(const char* text)
{
    return QCoreApplication::translate("ui::FigureChoices", text);
}

// Returns the names of all settings if the view shows them all, otherwise nothing: A is meant then.
QString settingsIn(const View& view, const Comparison& shown)
{
    QStringList names;
    if (view.shows(Content::every))
        for (const Compared* one : shown.shown())
            names << one->name;
    return names.join(u' ').trimmed();
}

// Returns a figure of the first images alone, in a row if they are few.
Figure firstOf(Figure figure, std::size_t count)
{
    constexpr std::size_t mostInRow = 3;
    figure.images.erase(figure.images.begin() + static_cast<std::ptrdiff_t>(count), figure.images.end());
    if (count <= mostInRow)
        figure.across = 0;
    return figure;
}

} // namespace

FigureChoices figuresOfImages(const ImagePanel& images, const Comparison& shown)
{
    const View& onScreen = images.view();
    const auto isOnScreen = [&](const View& view) {
        return &view == &onScreen || (onScreen.shows(Content::composed) && view.shows(Content::difference) &&
                                      view.shows(Content::a) && view.shows(Content::b));
    };
    FigureChoices choices;
    for (const View& view : views()) {
        if (view.shows(Content::composed) || view.shows(Content::recorded))
            continue;
        const Figure figure = images.figure(view);
        const std::size_t usual = view.shows(Content::every) ? 2 : view.contents.size();
        if (figure.images.size() < (isOnScreen(view) ? 1 : usual))
            continue;
        if (isOnScreen(view))
            choices.chosen = choices.all.size();
        choices.all.push_back({view.text(), drawingOf(figure), settingsIn(view, shown)});
        const std::size_t settings = shown.shown().size();
        if (view.shows(Content::every) && settings > 1 && figure.images.size() > settings)
            choices.all.push_back({figureText("Settings without the reference"), drawingOf(firstOf(figure, settings)),
                                   settingsIn(view, shown)});
    }
    return choices;
}

FigureChoices figuresOfPlanes(const PlanesPanel& panel)
{
    Figure planes, differences, one;
    for (const int plane : {2, 0, 1}) { // as on screen
        const bool isChosen = plane == panel.chosen(),
                   hasDifference = static_cast<bool>(panel.cell(plane).difference());
        planes.images.push_back(panel.figureImage(plane, false));
        if (isChosen)
            one.images.push_back(planes.images.back());
        if (hasDifference)
            differences.images.push_back(panel.figureImage(plane, true));
        if (hasDifference && isChosen)
            one.images.push_back(differences.images.back());
    }
    const auto named = [](const Figure& figure, const char* name) {
        Drawing drawing = drawingOf(figure);
        drawing.name = QLatin1String(name);
        return drawing;
    };
    FigureChoices choices{
        {{figureText("Planes z, x and y"), named(planes, "planes")},
         {one.images.size() > 1 ? figureText("Plane %1 and its difference").arg(planeName(panel.chosen()))
                                : figureText("Plane %1").arg(planeName(panel.chosen())),
          named(one, "plane")}}};
    if (!differences.images.empty())
        choices.all.insert(choices.all.begin(),
                           {figureText("Differences in the planes"), named(differences, "differences")});
    return choices;
}

} // namespace ui
