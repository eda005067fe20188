import type { Installation } from '../client.ts'
import { join } from 'node:path'

const unpack = `
mkdir -p "$1/packages/partial"
apt-get install --download-only --yes --no-install-recommends --reinstall -o "Dir::Cache::archives=$1/packages" "$2"
for package in "$1"/packages/*.deb; do dpkg-deb --extract "$package" "$1"; done
`

/** Unpacks a package of Debian, with those it needs and the machine lacks, into a folder of the cache: the machine stays as it is. */
export async function installDebian({ cache, run }: Installation, folder: string, name: string): Promise<void> {
  await run('apt-get', ['update'])
  await run('sh', ['-ec', unpack, 'sh', join(cache, folder), name])
}
