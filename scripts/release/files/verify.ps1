# Checks on Windows that this folder contains the files of the release, and nothing else.
#
#   powershell -ExecutionPolicy Bypass -File verify.ps1 [-Certificate PATH]
#
# PATH is a PEM file: the certificate of the signer, or of the authority that issued it. With it, a signature is required. With an
# authority, compare the signer that this script prints with the one that your approval names: the authority may have issued other
# certificates for signatures. Needs PowerShell 5, and openssl 1.1.1 if there is a signature.
param([string] $Certificate = '')
Set-StrictMode -Version 2
$ErrorActionPreference = 'Stop'

function Stop-Verification([string] $message) {
  [Console]::Error.WriteLine($message)
  exit 1
}

$folder = $PSScriptRoot
$sumsPath = [IO.Path]::Combine($folder, 'SHA256SUMS')
$signaturePath = [IO.Path]::Combine($folder, 'SHA256SUMS.p7s')
$reparsePoint = [IO.FileAttributes]::ReparsePoint
$isFile = [IO.File]::Exists($sumsPath) -and -not ([IO.File]::GetAttributes($sumsPath) -band $reparsePoint)
if (-not $isFile) { Stop-Verification 'SHA256SUMS is not a file here.' }

# Each line is a SHA-256 in lower case, two spaces and a plain name. Names of other folders, hidden files and options cannot occur.
$text = [Text.Encoding]::GetEncoding(28591).GetString([IO.File]::ReadAllBytes($sumsPath))
$invalid = 'SHA256SUMS is not valid: each line must be a SHA-256, two spaces and the name of another file, each name once.'
if ($text -cnotmatch '\A(?:[0-9a-f]{64}  [0-9A-Za-z][0-9A-Za-z._-]*\n)+\z') { Stop-Verification $invalid }
$listed = New-Object 'Collections.Generic.Dictionary[string,string]' ([StringComparer]::OrdinalIgnoreCase)
foreach ($line in $text.TrimEnd("`n").Split("`n")) {
  $name = $line.Substring(66)
  if ($name -match '^SHA256SUMS(\.p7s)?$' -or $listed.ContainsKey($name)) { Stop-Verification $invalid }
  $listed.Add($name, $line.Substring(0, 64))
}

$bad = $false
function Write-Problem([string] $word, [string] $name, [string] $end = '') {
  # A name may contain anything, such as an escape sequence.
  $shown = [regex]::Replace($name, '[^0-9A-Za-z._-]', '?')
  [Console]::Error.WriteLine("$word  $shown$end")
  $script:bad = $true
}

$present = New-Object 'Collections.Generic.HashSet[string]' ([StringComparer]::OrdinalIgnoreCase)
try { $paths = [IO.Directory]::GetFileSystemEntries($folder) }
catch { Stop-Verification 'This folder cannot be listed.' }
foreach ($path in $paths) {
  $name = [IO.Path]::GetFileName($path)
  $attributes = [IO.File]::GetAttributes($path)
  [void] $present.Add($name)
  if ($attributes -band $reparsePoint) { Write-Problem 'LINK   ' $name }
  elseif ($attributes -band [IO.FileAttributes]::Directory) { Write-Problem 'UNKNOWN' $name '/' }
  elseif ($listed.ContainsKey($name)) {
    try { $actual = (Get-FileHash -LiteralPath $path -Algorithm SHA256).Hash.ToLowerInvariant() }
    catch { $actual = '' }
    if ($actual -eq '') { Write-Problem 'UNREADABLE' $name }
    elseif ($actual -cne $listed[$name]) { Write-Problem 'CHANGED' $name }
  }
  elseif ($name -notmatch '^SHA256SUMS(\.p7s)?$') { Write-Problem 'UNKNOWN' $name }
}
foreach ($name in $listed.Keys) {
  if (-not $present.Contains($name)) { Write-Problem 'MISSING' $name }
}
if ($bad) { Stop-Verification 'These files are not the release.' }
Write-Output "All $($listed.Count) files match SHA256SUMS"

# An older release is complete and signed too: compare the version with the one that you expect.
function Show-Version {
  $listed.Keys | Where-Object { $_ -match '^cloud-profile-service-([0-9][0-9A-Za-z.]*)\.tgz$' } |
    ForEach-Object { Write-Output "Version: cloud-profile-service $($Matches[1])" }
}

if (-not [IO.File]::Exists($signaturePath)) {
  if ($Certificate -ne '') { Stop-Verification 'There is no signature: SHA256SUMS.p7s is missing.' }
  Write-Output 'There is no signature: anyone who can change the files can change SHA256SUMS too.'
  Show-Version
  exit 0
}
$openssl = Get-Command -Name 'openssl' -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
if ($null -eq $openssl) { Stop-Verification 'Install openssl: this release has a signature.' }
$signer = [IO.Path]::GetTempFileName()
$arguments = @('cms', '-verify', '-binary', '-purpose', 'any', '-inform', 'PEM', '-in', $signaturePath, '-content', $sumsPath, '-out', 'NUL', '-signer', $signer)
if ($Certificate -ne '') {
  $Certificate = (Resolve-Path -LiteralPath $Certificate).ProviderPath
  $arguments += @('-partial_chain', '-no-CApath', '-no-CAstore', '-CAfile', $Certificate)
}
else { $arguments += '-noverify' }
# A native program that writes to stderr would end the script.
$ErrorActionPreference = 'Continue'
& $openssl.Path $arguments 2>$null
$isValid = $LASTEXITCODE -eq 0
$extensions = (& $openssl.Path x509 -in $signer -noout -ext 'extendedKeyUsage,keyUsage' 2>$null) -join "`n"
$canRead = $LASTEXITCODE -eq 0
$subject = @(& $openssl.Path x509 -in $signer -noout -subject -fingerprint '-sha256' -nameopt RFC2253 2>$null)
Remove-Item -LiteralPath $signer
if (-not $isValid) { Stop-Verification 'SHA256SUMS.p7s is not a valid signature of SHA256SUMS by this certificate.' }
# A certificate authority issues certificates for other purposes too: the key of a web server must not sign a release.
function Test-Usage([string] $title, [string] $allowed) {
  if ($extensions -match ('X509v3 ' + $title + ':.*\n(.*)')) { return $Matches[1] -match $allowed }
  return $true
}
if (-not ($canRead -and (Test-Usage 'Extended Key Usage' 'Code Signing|E-mail Protection') -and (Test-Usage 'Key Usage' 'Digital Signature|Non Repudiation'))) {
  Stop-Verification 'The certificate of the signer is not for signatures: it needs the usage Code Signing or E-mail Protection.'
}
if ($Certificate -ne '') { Write-Output 'The signature is valid and belongs to this certificate.' }
else { Write-Output 'The signature is valid, but its signer is not checked: run verify.ps1 -Certificate PATH.' }
$subject -replace '^subject= *', 'Signer: ' -replace '^sha256 Fingerprint=', 'SHA-256 of its certificate: '
Show-Version
