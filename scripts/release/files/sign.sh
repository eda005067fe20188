#!/bin/sh
# Verifies the release, and signs SHA256SUMS with your key: writes SHA256SUMS.p7s (CMS, PEM).
#
#   ./sign.sh KEY CERTIFICATE [CHAIN]
#
# All are PEM files. CHAIN contains the certificates between yours and its root. Needs openssl.
set -eu
umask 022
[ $# = 2 ] || [ $# = 3 ] || {
  echo 'Usage: ./sign.sh KEY CERTIFICATE [CHAIN]' >&2
  exit 2
}
absolute() {
  case $1 in
  /*) printf '%s\n' "$1" ;;
  *) printf '%s\n' "$PWD/$1" ;;
  esac
}
key=$(absolute "$1")
certificate=$(absolute "$2")
chain=${3:+$(absolute "$3")}
case $0 in
*/*) CDPATH='' cd -- "${0%/*}/" ;;
esac
for file in "$key" "$certificate" ${chain:+"$chain"}; do
  [ -r "$file" ] || {
    printf '%s cannot be read.\n' "$file" >&2
    exit 2
  }
done
sh ./verify.sh
# A failure must neither replace an existing signature nor leave an empty file.
draft=SHA256SUMS.p7s.$$
trap 'rm -f "$draft"' EXIT
openssl cms -sign -binary -md sha256 -in SHA256SUMS -signer "$certificate" -inkey "$key" ${chain:+-certfile "$chain"} \
  -outform PEM -out "$draft"
mv "$draft" SHA256SUMS.p7s
echo 'Signed: SHA256SUMS.p7s'
