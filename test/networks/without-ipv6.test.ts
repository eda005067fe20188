import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useTemporaryDirectory } from '../support/temporary-directory.ts'
import { onlyIPv4, refusal, runCommand } from './run-scene.ts'

/** As a kernel that was built or started without IPv6. */
const library = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>
int socket(int family, int type, int protocol) {
  static int (*real)(int, int, int);
  if (family == AF_INET6) { errno = EAFNOSUPPORT; return -1; }
  if (!real) real = (int (*)(int, int, int))dlsym(RTLD_NEXT, "socket");
  return real(family, type, protocol);
}
`

const directory = useTemporaryDirectory()
const compiler = spawnSync('cc', ['--version']).status === 0 ? undefined : 'there is no C compiler'
const reason = refusal ?? compiler
if (compiler !== undefined) console.warn(`The test of a kernel without IPv6 is skipped: ${compiler}`)

test.skipIf(reason !== undefined)('a server for both families starts on a kernel without IPv6', async () => {
  const [source, preload] = [join(directory.path, 'without-ipv6.c'), join(directory.path, 'without-ipv6.so')]
  writeFileSync(source, library)
  expect(spawnSync('cc', ['-shared', '-fPIC', '-o', preload, source, '-ldl']).status).toBe(0)
  const env = { PLATFORM_LISTEN_ADDRESS: '::', PLATFORM_HOST_KEY: 'key-for-the-test', LD_PRELOAD: preload }
  const { status, stdout, during } = await runCommand(onlyIPv4, {
    args: ['serve'],
    env,
    during: [{ args: ['health'], env }],
  })
  expect(stdout).toContain('running on http://0.0.0.0:3000\n')
  expect([status, ...during.map((each) => each.status)]).toEqual([0, 0])
})
