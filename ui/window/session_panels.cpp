// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session_panels.h"

#include "ui/image/image_panel.h"
#include "ui/numbers/number_tabs.h"
#include "ui/settings/settings_panel.h"
#include "ui/window/message_bar.h"
#include "ui/window/scan_controller.h"
#include "ui/window/slice_bar.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace ui
{

namespace
{

const QString tabKey = QStringLiteral("tab"); // tab under the images

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
    QJsonObject looks = results.images->looks();
    looks[tabKey] = results.numbers->currentIndex();
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
}

} // namespace ui
