// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session_panels.h"

#include "ui/image/image_panel.h"
#include "ui/numbers/number_tabs.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/planes_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/window/message_bar.h"
#include "ui/window/scan_controller.h"
#include "ui/window/slice_bar.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTabWidget>

#include <algorithm>

namespace ui
{

namespace
{

const QString tabKey = QStringLiteral("tab"); // tab under the images
const QString pageKey = QStringLiteral("page");
const QStringList pageIds{QStringLiteral("slices"), QStringLiteral("volume"), QStringLiteral("planes")};

engine::SessionPlanes storedOf(const PlanesPanel& panel)
{
    const LinkedPlanes& planes = panel.planes();
    engine::SessionPlanes stored;
    stored.point = planes.point;
    for (int plane = 0; plane < LinkedPlanes::count; ++plane) {
        const auto k = static_cast<std::size_t>(plane);
        stored.angles[k] = {planes.angles[k].turnDeg, planes.angles[k].tiltDeg};
        stored.marks[k] = panel.cell(plane).givenMarks();
    }
    return stored;
}

void showPlanes(const engine::SessionPlanes& stored, const engine::Scan& scan, PlanesPanel& panel, MessageBar& messages)
{
    LinkedPlanes planes = panel.planes();
    planes.moveTo(stored.point); // inside the volume
    if (planes.point != stored.point)
        return messages.fail(
            QObject::tr("The point of the session's planes, column %1, row %2, slice %3, is not in the volume, which "
                        "has %4 columns and rows and %5 slices.")
                .arg(stored.point[0])
                .arg(stored.point[1])
                .arg(stored.point[2])
                .arg(scan.sliceSize())
                .arg(scan.slices()));
    for (int k = 0; k < LinkedPlanes::count; ++k) {
        const engine::SessionPlanes::Angles& by = stored.angles[static_cast<std::size_t>(k)];
        planes.setAngles(k, {by.turnDeg, by.tiltDeg});
        panel.setMarks(k, stored.marks[static_cast<std::size_t>(k)]);
    }
    panel.setPlanes(planes);
}

} // namespace

engine::Session sessionOf(const OpenedScan& opened, const InputPanels& inputs, const ResultPanels& results)
{
    engine::Session session;
    session.simulation = opened.simulation;
    if (opened.scan) {
        session.label = opened.scan->name;
        session.scan = opened.scan->path;
    }
    session.opened = opened.openedWith;
    session.slice = results.sliceBar->slice();
    session.list = inputs.settings->list();
    session.resources = inputs.settings->request(0).resources;
    session.resources.threads = 0; // default number for the machine
    session.marks = results.images->marks();
    if (opened.scan && opened.scan->slices() > 1)
        session.planes = storedOf(*results.planes);
    QJsonObject looks = results.images->looks();
    looks[tabKey] = results.numbers->currentIndex();
    looks[pageKey] = pageIds.value(results.pages->currentIndex());
    session.window = QJsonDocument(looks).toJson(QJsonDocument::Compact).toStdString();
    return session;
}

void showSession(const engine::Session& session, const engine::Scan& scan, const InputPanels& inputs,
                 const ResultPanels& results, MessageBar& messages)
{
    inputs.settings->setResources(session.resources);
    inputs.settings->setList(session.list);
    if (session.slice < scan.slices())
        results.sliceBar->setSlice(session.slice);
    else
        messages.fail(QObject::tr("Slice %1 of the session is not in the scan, which has slices 0 to %2.")
                          .arg(session.slice)
                          .arg(scan.slices() - 1));
    results.images->setMarks(session.marks);
    const QJsonObject looks = QJsonDocument::fromJson(QByteArray::fromStdString(session.window)).object();
    results.images->setLooks(looks);
    NumberTabs* numbers = results.numbers;
    numbers->setCurrentIndex(std::clamp(looks[tabKey].toInt(), 0, numbers->count() - 1));
    if (session.planes)
        showPlanes(*session.planes, scan, *results.planes, messages);
    const qsizetype page = pageIds.indexOf(looks[pageKey].toString());
    if (page >= 0 && results.pages->isTabVisible(static_cast<int>(page)))
        results.pages->setCurrentIndex(static_cast<int>(page));
}

} // namespace ui
