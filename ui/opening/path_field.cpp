// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/path_field.h"

#include "ui/widgets/boxes.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QUrl>

namespace ui
{

PathField::PathField(const char* name, const QString& title, Takes takes, QWidget* parent)
    : QWidget(parent), m_title(title), m_edit(new QLineEdit)
{
    m_edit->setObjectName(QLatin1String(name));
    m_edit->setAccessibleName(title);
    m_edit->setClearButtonEnabled(true);
    m_edit->setMinimumWidth(120);
    auto* browse = new QToolButton;
    browse->setObjectName(QLatin1String(name) + QLatin1String("Browse"));
    browse->setText(QStringLiteral("…"));
    browse->setToolTip(title);
    browse->setAccessibleName(title);
    if (takes == Takes::files) {
        connect(browse, &QToolButton::clicked, this, [this] { ask(false); });
    } else {
        auto* menu = new QMenu(browse);
        menu->addAction(tr("A file…"), this, [this] { ask(false); });
        menu->addAction(tr("A folder…"), this, [this] { ask(true); });
        browse->setMenu(menu);
        browse->setPopupMode(QToolButton::InstantPopup);
    }
    filled(new QHBoxLayout(this), {{m_edit, 1}, browse}, {QMargins(), 2});
    setFocusProxy(m_edit);
    connect(m_edit, &QLineEdit::editingFinished, this, [this] { take(m_edit->text()); });
    connect(m_edit, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty() || text.startsWith(QLatin1String("file:"))) // cleared by its button, or a file was dropped
            take(text);
    });
}

void PathField::show(const std::filesystem::path& path, const QString& whereNone)
{
    m_last = QDir::toNativeSeparators(QString::fromStdString(path.string()));
    const QSignalBlocker quiet(m_edit);
    m_edit->setText(m_last);
    m_edit->setToolTip(m_last.isEmpty() ? whereNone : m_last);
    m_edit->setPlaceholderText(whereNone);
}

std::filesystem::path PathField::path() const
{
    return QDir::fromNativeSeparators(m_last).toStdString();
}

void PathField::ask(bool folder)
{
    const QString from = m_last.isEmpty() ? m_folder : QFileInfo(m_last).absolutePath();
    const QString chosen = folder ? QFileDialog::getExistingDirectory(this, m_title, from)
                                  : QFileDialog::getOpenFileName(this, m_title, from);
    if (!chosen.isEmpty())
        take(chosen);
}

void PathField::take(const QString& text)
{
    const QUrl url(text);
    QString path = url.isLocalFile() ? url.toLocalFile() : text.trimmed();
    if (!path.isEmpty()) // absolute: a session or a command must find the file from any folder
        path = QDir::toNativeSeparators(QDir(m_folder).absoluteFilePath(path));
    if (path == m_last)
        return;
    m_last = path;
    const QSignalBlocker quiet(m_edit);
    m_edit->setText(path);
    m_edit->setToolTip(path);
    emit changed();
}

} // namespace ui
