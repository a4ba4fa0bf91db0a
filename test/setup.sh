#!/bin/sh
# Sets a fresh machine up: the packages, Node 24, a browser, and the editor under test. Does nothing where all is there.
# `--no-editor` brings the packages and Node 24 only.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd)
code="$root/test/editor/node_modules/code-server/lib/vscode"
[ -n "${HOME:-}" ] || unset HOME # npm would take an empty one for the current folder

say() { printf 'setup: %s\n' "$1" >&2; } # standard output belongs to the program that is set up

fail() {
  printf 'setup: %s\n' "$1" >&2
  exit 1
}

main() {
  with_editor=yes
  case "${1:-}" in
    '') ;;
    --no-editor) with_editor=no ;;
    *) fail "\"$1\" is not known here; the only option is --no-editor." ;;
  esac
  all_ready && return
  leave_own_packages_out_of_path
  take_lock
  check_node
  [ $with_editor = no ] || editor_ready || start_download
  packages_ready || install_packages
  [ $with_editor = no ] && return
  install_system_packages
  editor_ready || install_editor
}

all_ready() {
  packages_ready || return 1
  [ $with_editor = no ] && return
  editor_ready && find_browser && fonts_ready
}

# Packages and Node 24. The stamp lies among the packages, so whatever removes them removes it too.

packages_stamp() { cksum <package-lock.json; }

packages_ready() {
  [ -x node_modules/.bin/node ] && [ "$(cat node_modules/.setup-stamp 2>/dev/null)" = "$(packages_stamp)" ]
}

install_packages() {
  say 'installing the packages and Node 24'
  # Of all install scripts these two are wanted; older versions of npm would run every one.
  { quietly npm ci --ignore-scripts && quietly npm rebuild --ignore-scripts=false node esbuild; } ||
    fail 'npm could not install the packages; see above, mend that, and run this again.'
  is_node_24 || fail 'Node 24 did not arrive with the packages; run "npm rebuild node" and see what npm says.'
  packages_stamp >node_modules/.setup-stamp
}

check_node() {
  hint='install Node 20 or later with npm from https://nodejs.org and run this again.'
  command -v node >/dev/null || fail "Node is missing; $hint"
  command -v npm >/dev/null || fail "npm is missing; $hint"
  [ "$(node -p 'parseInt(process.versions.node)')" -ge 20 ] || fail "Node $(node -v) is too old; $hint"
}

is_node_24() {
  case "$(node_modules/.bin/node -v 2>/dev/null)" in v24.*) ;; *) return 1 ;; esac
}

# What only the system can bring: a browser, letters for it, and a compiler for the editor's log module.

install_system_packages() {
  missing=
  find_browser || missing="$missing chromium-headless-shell"
  fonts_ready || missing="$missing fonts-liberation"
  spdlog_ready || compiler_ready || missing="$missing g++ make python3"
  [ -z "$missing" ] && return
  if is_root && command -v apt-get >/dev/null; then
    say "installing from the system's packages:$missing"
    # shellcheck disable=SC2046,SC2086
    apt_install $missing || apt_install $(with_older_browser $missing) || fail "apt-get could not install$missing; see above, mend that, and run this again."
  fi
  find_browser || fail 'No browser found; install Chromium or Chrome, or name one in KOURIER_CHROMIUM, and run this again.'
  spdlog_ready || compiler_ready || fail 'No compiler found; install g++, make and python3, and run this again.'
}

# The headless shell is a package of its own since 2025 only.
with_older_browser() {
  printf '%s ' "$@" | sed 's/chromium-headless-shell/chromium/'
}

find_browser() {
  if [ -n "${KOURIER_CHROMIUM:-}" ]; then
    [ -x "$KOURIER_CHROMIUM" ] || fail "KOURIER_CHROMIUM names $KOURIER_CHROMIUM, which is no program; name a Chromium or Chrome."
    return
  fi
  for name in chromium-headless-shell chromium chromium-browser google-chrome-stable google-chrome chrome \
    microsoft-edge-stable microsoft-edge \
    /usr/bin/chromium /usr/lib/chromium/chromium \
    '/Applications/Chromium.app/Contents/MacOS/Chromium' \
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome' \
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'; do
    command -v "$name" >/dev/null && return
  done
  return 1
}

fonts_ready() {
  { is_root && command -v apt-get >/dev/null; } || return 0
  [ -n "$(find /usr/share/fonts /usr/local/share/fonts -name '*.[to]t[fc]' 2>/dev/null | head -n 1)" ]
}

compiler_ready() {
  command -v g++ >/dev/null && command -v make >/dev/null && command -v python3 >/dev/null
}

is_root() { [ "$(id -u)" = 0 ]; }

apt_install() {
  apt_get install "$@" || { apt_get update && loudly apt_get install "$@"; }
}

apt_get() {
  DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -y -q -o DPkg::Lock::Timeout=120 -o APT::Install-Recommends=false "$@" \
    >"$log" 2>&1
}

loudly() { "$@" || { cat "$log" >&2 && return 1; }; }

# The editor. Its own install scripts would compile ten modules; only the one that writes log files is needed.

editor_stamp() {
  cksum <test/editor/package-lock.json
  sed -n 's/^ *"version"/node/p' node_modules/node/package.json 2>/dev/null
}

editor_ready() { spdlog_ready && [ "$(cat "$code/.setup-stamp" 2>/dev/null)" = "$(editor_stamp)" ]; }

spdlog_ready() { [ -f "$code/node_modules/@vscode/spdlog/build/Release/spdlog.node" ]; }

# Begins while the packages are on their way; both wait for the network more than for anything else.
start_download() {
  say 'downloading the editor under test'
  rm -f "$code/.setup-stamp"
  (log="$log.editor" && download_editor) &
  downloading=$!
}

# Whoever ends this ends what it waits for, so that nothing is still written into the folders when setup runs again;
# npm takes its time when it is only asked to end.
download_editor() {
  npm=
  trap 'kill -KILL $npm 2>/dev/null; exit 143' TERM
  for folder in "$root/test/editor" "$code" "$code/extensions"; do
    how='install --omit=dev'
    [ "$folder" = "$root/test/editor" ] && how=ci
    # shellcheck disable=SC2086
    (cd "$folder" && exec npm $how --ignore-scripts) >"$log" 2>&1 &
    npm=$!
    loudly wait $npm || return 1
  done
}

install_editor() {
  hint='could not install the editor under test; see above, mend that, and run this again.'
  [ -n "$downloading" ] || start_download
  wait "$downloading" || fail "npm $hint"
  downloading=
  say 'compiling its log module'
  (cd "$code" && with_node_24 quietly npm rebuild --ignore-scripts=false @vscode/spdlog) || fail "The compiler $hint"
  spdlog_ready || fail "npm did not build @vscode/spdlog, which the editor under test needs; run npm rebuild in $code."
  editor_stamp >"$code/.setup-stamp"
}

# Built for the Node that runs the editor; its headers came with it, so nothing more is downloaded.
with_node_24() {
  (
    PATH="$root/node_modules/node/bin:$PATH"
    export JOBS=max
    for headers in "$root"/node_modules/node/node_modules/node-*/include/node; do
      [ -d "$headers" ] && export npm_config_nodedir="${headers%/include/node}"
    done
    "$@"
  )
}

# Under npm our own packages come first in PATH, and a Node that is being replaced must not run what replaces it.
leave_own_packages_out_of_path() {
  cleaned=
  old_ifs=$IFS
  IFS=:
  for folder in $PATH; do
    case "$folder" in
      */node_modules/.bin) ;;
      *) cleaned="${cleaned:+$cleaned:}$folder" ;;
    esac
  done
  IFS=$old_ifs
  PATH=$cleaned
}

quietly() { loudly run "$@"; }

run() { "$@" >"$log" 2>&1; }

end_download() {
  [ -z "$downloading" ] || { kill "$downloading" 2>/dev/null && wait "$downloading"; } || true
}

# Two setups at once would take each other's packages away.
take_lock() {
  lock="$root/build/setup.lock"
  mkdir -p build
  waited=0
  until mkdir "$lock" 2>/dev/null; do
    owner=$(cat "$lock/pid" 2>/dev/null || true)
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
      rm -rf "$lock"
      continue
    fi
    [ $waited = 0 ] && say 'waiting for another setup to finish'
    waited=$((waited + 1))
    [ -z "$owner" ] && [ $waited -gt 10 ] && rm -rf "$lock"
    sleep 1
  done
  trap 'end_download; rm -rf "$lock"' EXIT
  trap 'exit 130' HUP INT TERM
  echo $$ >"$lock/pid"
  downloading=
  log="$lock/log"
}

main "$@"
