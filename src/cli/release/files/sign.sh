#!/bin/sh
# Signs SHA256SUMS with a key of your own, after you have verified the release: makes SHA256SUMS.p7s (CMS, PEM).
#
#   ./sign.sh KEY CERTIFICATE [CHAIN]
#
# All are PEM files; CHAIN holds the certificates between yours and its authority. Needs openssl.
set -eu
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
cd "$(dirname "$0")"
for file in "$key" "$certificate" ${chain:+"$chain"}; do
  [ -r "$file" ] || {
    echo "$file cannot be read." >&2
    exit 2
  }
done
rm -f SHA256SUMS.p7s
./verify.sh
openssl cms -sign -binary -md sha256 -in SHA256SUMS -signer "$certificate" -inkey "$key" ${chain:+-certfile "$chain"} \
  -outform PEM -out SHA256SUMS.p7s
echo 'Signed: SHA256SUMS.p7s'
