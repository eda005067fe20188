#!/bin/sh
# Checks that this folder contains the files of the release, and no others.
#
#   ./verify.sh [CERTIFICATE]
#
# CERTIFICATE is a PEM file: the certificate of the signer, or of the authority that issued it. If it is given, a signature is
# required. If it is an authority's, compare the printed signer with the signer in your approval, because the authority may have
# issued other certificates for signatures. Needs sha256sum (or shasum), and openssl 1.1.1 if there is a signature.
set -eu
LC_ALL=C
export LC_ALL
certificate=${1:-}
case $certificate in
'' | /*) ;;
*) certificate=$PWD/$certificate ;;
esac
case $0 in
*/*) CDPATH='' cd -- "${0%/*}/" ;;
esac

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

if command -v sha256sum >/dev/null 2>&1; then sum() { sha256sum; }
elif command -v shasum >/dev/null 2>&1; then sum() { shasum -a 256; }
else fail 'Install sha256sum or shasum: this machine has neither.'; fi

is_file() { [ -f "$1" ] && [ ! -L "$1" ]; }

is_file SHA256SUMS || fail 'SHA256SUMS is not a file here.'
# Each line is a SHA-256 in lower case, two spaces and a plain name: no path, no hidden file, and nothing that looks like an option.
[ -s SHA256SUMS ] &&
  [ "$(tr -d '0-9A-Za-z._ \n-' <SHA256SUMS | wc -c)" -eq 0 ] &&
  [ -z "$(tail -c 1 SHA256SUMS)" ] &&
  ! grep -qvE '^[0-9a-f]{64}  [0-9A-Za-z][0-9A-Za-z._-]*$' SHA256SUMS &&
  ! cut -c 67- SHA256SUMS | grep -qixE 'SHA256SUMS(\.p7s)?' &&
  [ -z "$(cut -c 67- SHA256SUMS | tr A-Z a-z | sort | uniq -d)" ] ||
  fail 'SHA256SUMS is not valid: each line must be a SHA-256, two spaces and the name of another file, each name once.'

bad=0
report() {
  # A name may contain anything, such as a line break or an escape sequence.
  printf '%s  %s%s\n' "$1" "$(printf '%s' "$2" | tr -c '0-9A-Za-z._-' '?')" "${3-}" >&2
  bad=1
}

while read -r expected name; do
  if [ -L "$name" ]; then :
  elif [ ! -e "$name" ]; then report 'MISSING' "$name"
  elif [ ! -f "$name" ]; then :
  elif [ ! -r "$name" ]; then report 'UNREADABLE' "$name"
  else
    actual=$(sum <"$name")
    [ "${actual%% *}" = "$expected" ] || report 'CHANGED' "$name"
  fi
done <SHA256SUMS

is_listed() {
  case $1 in
  SHA256SUMS | SHA256SUMS.p7s) return 0 ;;
  *[!0-9A-Za-z._-]*) return 1 ;;
  esac
  cut -c 67- SHA256SUMS | grep -qxF -e "$1"
}
is_seen=0
for name in * .[!.]* ..?*; do
  if [ "$name" = SHA256SUMS ]; then is_seen=1; fi
  if [ -L "$name" ]; then report 'LINK   ' "$name"
  elif [ -d "$name" ]; then report 'UNKNOWN' "$name" /
  elif [ -e "$name" ] && { [ ! -f "$name" ] || ! is_listed "$name"; }; then report 'UNKNOWN' "$name"; fi
done
# Without the permission to list a folder, its files can still be read by name, and other files would stay unseen.
[ "$is_seen" = 1 ] || fail 'This folder cannot be listed.'
[ "$bad" = 0 ] || fail 'These files are not the release.'
echo "All $(grep -c . SHA256SUMS) files match SHA256SUMS"

# Shows the version for a comparison, because an older release is also complete and signed.
show_version() {
  sed -n 's/^.\{66\}\(cloud-profile-service\)-\([0-9][0-9A-Za-z.]*\)\.tgz$/Version: \1 \2/p' SHA256SUMS
}

if [ ! -f SHA256SUMS.p7s ]; then
  [ -z "$certificate" ] || fail 'There is no signature: SHA256SUMS.p7s is missing.'
  echo 'There is no signature. Anyone who can change the files can also change SHA256SUMS.'
  show_version
  exit 0
fi
command -v openssl >/dev/null 2>&1 || fail 'Install openssl: this release has a signature.'
# Verifies the signature, and prints the certificates of its signers.
check() {
  openssl cms -verify -binary -purpose any -inform PEM -in SHA256SUMS.p7s -content SHA256SUMS -out /dev/null -signer /dev/stdout "$@" 2>/dev/null
}
# An authority also issues certificates for other purposes, and the key of a web server must not sign a release.
may_sign() {
  extensions=$(printf '%s\n' "$signer" | openssl x509 -noout -ext extendedKeyUsage,keyUsage 2>/dev/null) || return 1
  case $extensions in
  *'Extended Key Usage'*) case $extensions in *'Code Signing'* | *'E-mail Protection'*) ;; *) return 1 ;; esac ;;
  esac
  case $(printf '%s\n' "$extensions" | grep -A 1 'X509v3 Key Usage') in
  '' | *'Digital Signature'* | *'Non Repudiation'*) ;;
  *) return 1 ;;
  esac
}
if [ -n "$certificate" ]; then
  [ -f "$certificate" ] || fail "$certificate is missing."
  signer=$(check -partial_chain -no-CApath -no-CAstore -CAfile "$certificate") || fail "SHA256SUMS.p7s is not a signature of SHA256SUMS by $certificate."
  may_sign || fail 'The certificate of the signer is not for signatures: it needs the usage Code Signing or E-mail Protection.'
  echo 'The signature is valid and belongs to this certificate.'
else
  signer=$(check -noverify) || fail 'SHA256SUMS.p7s is not a valid signature of SHA256SUMS.'
  may_sign || fail 'The certificate of the signer is not for signatures: it needs the usage Code Signing or E-mail Protection.'
  echo 'The signature is valid, but its signer is not checked: run ./verify.sh CERTIFICATE.'
fi
printf '%s\n' "$signer" | openssl x509 -noout -subject -fingerprint -sha256 -nameopt RFC2253 | sed 's/^subject= */Signer: /; s/^[Ss][Hh][Aa]256 Fingerprint=/SHA-256 of its certificate: /'
show_version
