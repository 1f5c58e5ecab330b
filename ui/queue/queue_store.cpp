// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/queue_store.h"

#include "engine/documents/queued_volume.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QUuid>

#include <algorithm>

namespace ui
{

namespace
{

const QString entriesGroup = QStringLiteral("queuedVolumes"), orderKey = QStringLiteral("queueOrder"),
              listKey = QStringLiteral("queue"); // written by older versions

QString keyOf(const QString& id)
{
    return entriesGroup + QLatin1Char('/') + id;
}

} // namespace

QueueStore::QueueStore(QSettings& settings) : m_settings(settings)
{
    const QString list = m_settings.value(listKey).toString();
    if (list.isEmpty())
        return;
    QStringList order = m_settings.value(orderKey).toStringList();
    for (const std::string& entry : engine::queueEntriesIn(list.toStdString())) {
        // Hashed, so that two programs that convert the list simultaneously get the same keys.
        const QByteArray text = QByteArray::fromStdString(entry);
        const QString id = QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex());
        m_settings.setValue(keyOf(id), QString::fromUtf8(text));
        order << id;
    }
    m_settings.setValue(orderKey, order);
    m_settings.remove(listKey);
    m_settings.sync();
}

QString QueueStore::newId()
{
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

std::unique_ptr<QLockFile> QueueStore::claim(const QString& id) const
{
    auto lock = std::make_unique<QLockFile>(
        QFileInfo(m_settings.fileName()).dir().filePath(QStringLiteral("queue-") + id + QStringLiteral(".lock")));
    lock->setStaleLockTime(0); // never stale, however long the program runs
    // Where no file can be created, the journal of the output shows that it is in use.
    return lock->tryLock() || lock->error() != QLockFile::LockFailedError ? std::move(lock) : nullptr;
}

std::vector<QueueStore::Entry> QueueStore::entries()
{
    m_settings.sync();
    m_settings.beginGroup(entriesGroup);
    const QStringList ids = m_settings.childKeys();
    m_settings.endGroup();
    std::vector<Entry> entries;
    for (const QString& id : ids)
        entries.push_back({id, m_settings.value(keyOf(id)).toString()});
    const QStringList order = m_settings.value(orderKey).toStringList();
    std::ranges::stable_sort(entries, {}, [&](const Entry& entry) {
        const auto place = order.indexOf(entry.id);
        return place < 0 ? order.size() : place; // entries without a place come last
    });
    return entries;
}

void QueueStore::change(const std::vector<Entry>& added, const QStringList& removed, const QStringList& order)
{
    for (const Entry& entry : added)
        m_settings.setValue(keyOf(entry.id), entry.text);
    for (const QString& id : removed)
        m_settings.remove(keyOf(id));
    if (m_settings.value(orderKey).toStringList() != order)
        m_settings.setValue(orderKey, order);
    m_settings.sync();
}

} // namespace ui
