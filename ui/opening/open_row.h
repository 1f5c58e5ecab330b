// SPDX-License-Identifier: GPL-3.0-or-later
// A row of the reading panel for one field of the engine's table openFields().
#pragma once

#include "engine/io/open/open_fields.h"
#include "ui/opening/labelled_field.h"

#include <QObject>

#include <functional>

namespace ui
{

using OpenChange = std::function<void(engine::OpenOptions&)>; // changes the options that a scan is opened with

// The editor depends on the kind of the field: a path for FieldKind::file, a number within the table's limits for
// FieldKind::whole, a check box for FieldKind::boolean, a list for FieldKind::choice, otherwise a line of text. The
// widgets belong to the layout that they are added to.
class OpenRow : public QObject
{
    Q_OBJECT
  public:
    explicit OpenRow(const engine::OpenField& field);

    const engine::OpenField& field() const { return m_field; }
    LabelledField parts() const { return {m_label, m_editor}; }

    void setFolder(const QString& folder); // where the file dialog starts
    // unset: the text to show if the option isn't given. Emits no signal.
    void show(const engine::OpenOptions& said, const QString& unset);

  signals:
    // Emitted after edits by the user, even if a text was left unchanged. The change throws engine::Error if the text
    // is not valid for the field.
    void changed(const OpenChange& change);

  private:
    QWidget* makePath();
    QWidget* makeNumber();
    QWidget* makeBox();
    QWidget* makeList();
    QWidget* makeText();
    void take(const std::string& text); // empty: not given

    const engine::OpenField& m_field;
    std::function<void(const std::string& text, const QString& unset)> m_show;
    QWidget* m_editor;
    QLabel* m_label;
};

} // namespace ui
