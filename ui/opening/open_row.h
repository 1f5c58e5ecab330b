// SPDX-License-Identifier: GPL-3.0-or-later
// A row of the panel for reading, of a field of the engine's table of openings.
#pragma once

#include "engine/io/open/open_fields.h"
#include "ui/opening/labelled_field.h"

#include <QObject>

#include <functional>

namespace ui
{

using OpenChange = std::function<void(engine::OpenOptions&)>; // of what a scan is opened with

// A path for FieldKind::file, a number within the table's limits for FieldKind::whole, a box to tick for
// FieldKind::boolean, a list for FieldKind::choice, a text otherwise. The widgets belong to the layout that they are
// put into.
class OpenRow : public QObject
{
    Q_OBJECT
  public:
    explicit OpenRow(const engine::OpenField& field);

    const engine::OpenField& field() const { return m_field; }
    LabelledField parts() const { return {m_label, m_editor}; }

    void setFolder(const QString& folder); // where the dialog of a file begins
    // unset: what stands there while it isn't given. No signal.
    void show(const engine::OpenOptions& said, const QString& unset);

  signals:                                  // by the user, also where a text was left as it is
    void changed(const OpenChange& change); // which throws engine::Error where the text is none of the field's

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
