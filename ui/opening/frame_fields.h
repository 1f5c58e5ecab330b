// Fields for which projections and pixels of a scan are read, and which projections are dark or flat fields.
#pragma once

#include "ui/opening/file_fields.h"
#include "ui/opening/labelled_field.h"
#include "ui/widgets/measure_box.h"

#include <QObject>

class QLineEdit;

namespace ui
{

// The widgets belong to the layout that they are put into.
class FrameFields : public QObject
{
    Q_OBJECT
  public:
    FrameFields();

    LabelledField bin() const;
    LabelledField every() const;
    LabelledField leaveOut() const;
    LabelledField darkFrames() const;
    LabelledField flatFrames() const;

    // scan: nullptr where it isn't open. No signal.
    void show(const engine::OpenOptions& said, const engine::Scan* scan);

  signals: // by the user
    void changed(const OpenChange& change);
    void rangesEntered(const OpenChange& change); // which may be those that there are
    void wrongEntered(const QString& message);

  private:
    using Ranges = std::vector<engine::RowRange>& (*)(engine::OpenOptions&);

    // A field for numbers and ranges of projections.
    QLineEdit* rangesField(const char* id, const QString& name, const QString& none, Ranges ranges);
    void makeReduction();

    MeasureBox *m_bin, *m_every;
    QLineEdit *m_leaveOut, *m_darkFrames, *m_flatFrames;
    QLabel *m_binLabel, *m_everyLabel, *m_leaveOutLabel, *m_darkFramesLabel, *m_flatFramesLabel;
};

} // namespace ui
