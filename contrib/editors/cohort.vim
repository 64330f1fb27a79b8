" :compiler cohort, then :make verifies the current file and the quickfix list has the violation.
if exists("current_compiler")
  finish
endif
let current_compiler = "cohort"
CompilerSet makeprg=cohort\ verify\ --color\ never\ --time-limit\ 60\ %:S
CompilerSet errorformat=%EUNSAFE\ %*[^:]:\ %m\ at\ %f:%l:%c,%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ unsupported:\ %m,%-G%.%#
