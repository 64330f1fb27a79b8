#!/bin/bash
# Checks that every include below a source folder is one that layers.txt allows.
# Usage: check_layers.sh SOURCE_FOLDER LAYERS_FILE    prints each forbidden include; exit code 1 when there is one
set -euo pipefail
sources=$1
layers=$2

find "$sources" \( -name '*.hpp' -o -name '*.cpp' \) -print | sort | awk -v root="$sources/" -v layers="$layers" '
  # The layer of a file: the longest prefix of its path that layers.txt names, be it directly or as "parent/*".
  function layer_of(path,    parent, wildcard) {
    if (path in allowed) return path
    while (sub(/\/[^\/]*$/, "", path)) {
      if (path in allowed) return path
      parent = path
      if (sub(/\/[^\/]*$/, "", parent)) {
        wildcard = parent "/*"
        if (wildcard in allowed) return path
      }
    }
    return ""
  }
  function rule_of(layer,    parent) {
    if (layer in allowed) return layer
    parent = layer
    sub(/\/[^\/]*$/, "", parent)
    return parent "/*"
  }
  function permits(layer, target,    list) {
    if (layer == target) return 1
    list = allowed[rule_of(layer)]
    return index(list, " " target " ") > 0 || (!(target in allowed) && index(list, " " rule_of(target) " ") > 0)
  }
  function complain(text) {
    printf "%s:%d: %s\n", file, line_number, text
    failures++
  }
  function check_library(header, layer,    prefix) {
    for (prefix in owners) {
      if (header == prefix || (prefix ~ /\/$/ && index(header, prefix) == 1)) {
        if (index(owners[prefix], " " layer " ") == 0)
          complain("<" header "> belongs to" owners[prefix] "and may not be included in " layer)
      }
    }
  }
  function check_file(    text, layer, target, header) {
    layer = layer_of(substr(file, length(root) + 1))
    line_number = 0
    if (layer == "") complain("this folder has no line in layers.txt")
    while (layer != "" && (getline text < file) > 0) {
      line_number++
      if (text !~ /^[ \t]*#[ \t]*include[ \t]/) continue
      header = text
      sub(/^[^"<]*["<]/, "", header)
      sub(/[">].*$/, "", header)
      if (text ~ /</) {
        check_library(header, layer)
      } else if (header !~ /\// || header ~ /\.\./) {
        complain("\"" header "\" must be written as a path from src")
      } else {
        target = layer_of(header)
        if (target == "") complain("\"" header "\" is in no folder of layers.txt")
        else if (!permits(layer, target)) complain(layer " may not include \"" header "\" of " target)
      }
    }
    close(file)
  }
  BEGIN {
    while ((getline line < layers) > 0) {
      if (line ~ /^[ \t]*(#|$)/) continue
      split(line, sides, ":")
      gsub(/[ \t]+/, " ", sides[1])
      gsub(/[ \t]+/, " ", sides[2])
      if (sides[1] ~ /^library /) {
        count = split(sides[1], names, " ")
        for (i = 2; i <= count; i++) owners[names[i]] = sides[2] " "
      } else {
        allowed[sides[1]] = " " sides[2] " "
      }
    }
  }
  { file = $0; files++; check_file() }
  END {
    if (files == 0) { print "no source files below " root; exit 1 }
    if (failures > 0) { printf "%d forbidden includes\n", failures; exit 1 }
    printf "%d files include only what layers.txt allows\n", files
  }
'
