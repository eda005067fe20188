#!/bin/sh
# Says whether the files of this release are the ones that were released.
#
#   ./verify.sh [CERTIFICATE]
#
# CERTIFICATE is a PEM file: the certificate of whoever signed, or of the authority that issued it. With it, a signature
# is required. Needs sha256sum (or shasum), and openssl where there is a signature.
set -eu
LC_ALL=C
export LC_ALL
certificate=${1:-}
case $certificate in
'' | /*) ;;
*) certificate=$PWD/$certificate ;;
esac
cd "$(dirname "$0")"

fail() {
  echo "$1" >&2
  exit 1
}

if command -v sha256sum >/dev/null 2>&1; then sum() { sha256sum "$@"; }
elif command -v shasum >/dev/null 2>&1; then sum() { shasum -a 256 "$@"; }
else fail 'Neither sha256sum nor shasum is here.'; fi

[ -f SHA256SUMS ] || fail 'SHA256SUMS is missing.'
bad=0
while read -r expected name; do
  name=${name#\*}
  if [ ! -f "$name" ]; then
    echo "MISSING  $name" >&2
    bad=1
  elif [ "$(sum "$name" | cut -d ' ' -f 1)" != "$expected" ]; then
    echo "CHANGED  $name" >&2
    bad=1
  fi
done <SHA256SUMS
for name in * .[!.]*; do
  # A folder is what somebody unpacked here.
  [ ! -d "$name" ] || continue
  case $name in
  SHA256SUMS | SHA256SUMS.p7s | '*' | '.[!.]*') continue ;;
  esac
  if ! cut -d ' ' -f 3 SHA256SUMS | grep -qxF -- "$name"; then
    echo "UNKNOWN  $name" >&2
    bad=1
  fi
done
[ "$bad" = 0 ] || fail 'This is not what was released.'
echo "All $(grep -c . SHA256SUMS) files are as SHA256SUMS says."

if [ ! -f SHA256SUMS.p7s ]; then
  [ -z "$certificate" ] || fail 'There is no signature: SHA256SUMS.p7s is missing.'
  echo 'There is no signature: whoever can change the files can change SHA256SUMS too.'
  exit 0
fi
command -v openssl >/dev/null 2>&1 || fail 'There is a signature, and no openssl to check it with.'
check() {
  openssl cms -verify -binary -purpose any -inform PEM -in SHA256SUMS.p7s -content SHA256SUMS -out /dev/null "$@" 2>/dev/null
}
if [ -n "$certificate" ]; then
  [ -f "$certificate" ] || fail "$certificate is missing."
  check -partial_chain -no-CApath -no-CAstore -CAfile "$certificate" || fail "SHA256SUMS.p7s is no signature of SHA256SUMS by $certificate."
  echo 'The signature is good, and by that certificate.'
else
  check -noverify || fail 'SHA256SUMS.p7s is no signature of SHA256SUMS.'
  echo 'The signature is whole, but nobody checked whose it is: ./verify.sh CERTIFICATE does.'
fi
