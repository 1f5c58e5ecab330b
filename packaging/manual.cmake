# SPDX-License-Identifier: GPL-3.0-or-later
# Converts the manual to HTML: cmake -DCMARK=cmark-gfm -DSOURCE=resources -DTARGET=FOLDER -P manual.cmake
# Links to source files, which are not installed, become plain text.
file(GLOB pages ${SOURCE}/manual/*.md)
file(MAKE_DIRECTORY ${TARGET}/manual)
file(COPY ${SOURCE}/manual/pictures ${SOURCE}/manual/python.ipynb DESTINATION ${TARGET}/manual)
foreach(page IN LISTS pages ITEMS ${SOURCE}/credits.md)
    execute_process(COMMAND ${CMARK} -e table ${page} OUTPUT_VARIABLE body COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "<a href=\"\\.\\./\\.\\./[^\"]*\">([^<]*)</a>" "\\1" body "${body}")
    string(REGEX REPLACE "(href=\"[^\":]*)\\.md" "\\1.html" body "${body}")
    string(REGEX MATCH "<h1>([^<]*)</h1>" heading "${body}")
    set(title "${CMAKE_MATCH_1}")
    file(RELATIVE_PATH name ${SOURCE} ${page})
    string(REGEX REPLACE "md$" "html" name ${name})
    file(WRITE ${TARGET}/${name} "<!DOCTYPE html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><title>${title} - Sinoscope</title>
<style>body { max-width: 50em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif }
table { border-collapse: collapse } th, td { border: 1px solid #bbb; padding: .2em .6em; text-align: left }
pre { background: #f4f4f4; padding: .6em; overflow-x: auto } img { max-width: 100% }</style></head><body>
${body}</body></html>
")
endforeach()
