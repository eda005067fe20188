import { expect, onTestFinished, test } from 'vitest'
import { startBrowser } from '../support/browser.ts'
import { startRoundRobin } from '../support/round-robin.ts'
import { useEnclaveService } from '../support/serve-enclave.ts'
import { openPage } from './open-page.ts'

const browser = await startBrowser()
const open = useEnclaveService()

test.skipIf(browser === undefined)(
  'three worker processes behind one address, two of one instance and one of them broken: each is in the row, and the broken one stays shown',
  async () => {
    const { serve } = await open()
    const variables = [{}, { PLATFORM_CLIENT_SECRET: 'a wrong one' }, {}]
    const services = await Promise.all(
      // FUNCTIONS_WORKER_PROCESS_COUNT: the first two are processes of one instance.
      variables.map((each, index) =>
        serve('clientSecret', { ...each, WEBSITE_INSTANCE_ID: `machine-${index < 2 ? 0 : 1}` }),
      ),
    )
    const balancer = await startRoundRobin(services.map(({ port }) => port))
    onTestFinished(() => balancer.close())
    const { page, problems } = await openPage(browser, `http://localhost:${balancer.port}/`)
    const row = page.getByRole('list', { name: 'Instances behind this address' }).getByRole('listitem')
    await expect.poll(() => row.count()).toBe(3)
    const verdictsOf = async (id: string) => {
      const texts = await row.filter({ hasText: id }).allInnerTexts()
      return texts.map((text) => /: (.*),/.exec(text)?.[1] ?? '').toSorted()
    }
    expect([await verdictsOf('machine-0'), await verdictsOf('machine-1')]).toEqual([['Failed', 'OK'], ['OK']])
    const seen = new Set<string>()
    for (let second = 0; second < 12; second++) {
      seen.add(`${await page.title()} ${await page.locator('#history').innerText()}`)
      await page.waitForTimeout(1000)
    }
    // On a busy machine a poll may miss its time.
    const isBroken = /^(No response · was )?Failed .* machine-0 process \d+$/
    expect([...seen].filter((text) => !isBroken.test(text))).toEqual([])
    // A busy machine may lose a response, which the console says, or cut it off, and half a style has another hash. service.test.ts finds a
    // style that the policy does not know.
    const ofLostResponse = /^(Failed to load resource|Applying inline style violates)/
    expect(problems.filter((problem) => !ofLostResponse.test(problem))).toEqual([])
  },
)
