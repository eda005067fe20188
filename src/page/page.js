/*
 * The script of the page. The page contains it, and allows it by its hash. It polls the address of the page and applies the changes, so
 * all words and layout come from the server. The page is complete without it. The function key is in the address, and the script adds it
 * to links. `distanceText` comes from elements.ts.
 */
/* global distanceText */
;(() => {
  const $ = (selector) => document.querySelector(selector)
  // A monotonic clock: the wall clock may differ from the service's, and may be set.
  const seconds = () => performance.now() / 1000

  const code = new URLSearchParams(location.search).get('code')
  const addKey = () => {
    if (code) for (const link of document.querySelectorAll('a[data-api]')) link.search = new URLSearchParams({ code })
  }
  addKey()

  addEventListener('click', async ({ target: button }) => {
    const source = button.dataset.copy && document.getElementById(button.dataset.copy)
    if (!source) return
    const label = button.textContent
    try {
      await navigator.clipboard.writeText(source.value ?? source.textContent)
      button.textContent = 'Copied'
    } catch {
      if (source.select) source.select()
      else getSelection().selectAllChildren(source)
      button.textContent = document.execCommand('copy') ? 'Copied' : 'Selected, now copy it'
    }
    setTimeout(() => {
      button.textContent = label
    }, 3000)
  })

  const kindOf = ({ nodeName, id, attributes }) => [nodeName, id, attributes?.class?.value].join()
  /** Makes a node equal to its new version. Unchanged nodes stay, and keep open folds, focus and selection. */
  const update = (node, fresh) => {
    if (node.isEqualNode(fresh)) return node
    if (!node.attributes) {
      node.data = fresh.data
      return node
    }
    for (const { name } of Array.from(node.attributes))
      if (name !== 'open' && !fresh.hasAttribute(name)) node.removeAttribute(name)
    for (const { name, value } of fresh.attributes) node.setAttribute(name, value)
    const left = [...node.childNodes]
    const children = [...fresh.childNodes].map((child) => {
      const same = left.findIndex((each) => kindOf(each) === kindOf(child))
      return same < 0 ? child : update(left.splice(same, 1)[0], child)
    })
    if (left.length > 0 || children.some((child, index) => child !== node.childNodes[index]))
      node.replaceChildren(...children)
    return node
  }

  const silenceLimit = 15
  let [rendered, lastResponse, lastRequest, isWaiting, isLost] = [seconds(), seconds(), seconds(), false, false]

  // The processes behind this address that have responded. Each response comes from one of them, so responses are counted.
  const instances = new Map()
  let responses = 0
  const meet = ({ title, body }) => {
    const { instance: name, started, uptime, etag } = body.dataset
    const now = seconds()
    // A process that started after the last response of a process with the same name has replaced it.
    for (const [key, each] of instances) if (each.name === name && each.seen < now - uptime) instances.delete(key)
    const icon = body.parentNode.querySelector('link[rel=icon]').cloneNode()
    const page = { title, icon, body: body.cloneNode(true) }
    instances.set(name + started, { name, etag, page, received: now, seen: now, response: responses })
  }
  meet(document)

  const itemOf = ({ page: { body }, seen }) => {
    const [item, age] = [document.createElement('li'), document.createElement('time')]
    item.className = body.className
    age.dataset.in = seen - rendered
    const words = ['.process span', 'h1'].map((selector) => body.querySelector(selector).textContent.trim())
    item.append(`${words.join(': ')}, `, age)
    return item
  }
  const showAges = () => {
    for (const time of document.querySelectorAll('[data-in]'))
      time.textContent = distanceText(time.dataset.in - (seconds() - rendered))
  }
  const verdicts = ['ok', 'warning', 'pending', 'failed']
  let shown
  /** Shows the process with the worst verdict. Among equals, the shown process stays, so that the page doesn't flicker. */
  const show = () => {
    for (const [key, { response }] of instances) if (responses - response > 3 * instances.size) instances.delete(key)
    const rankOf = ([key, { page }]) => 2 * verdicts.indexOf(page.body.className) + (key === shown)
    const [[key, { page, received }]] = [...instances].sort((a, b) => rankOf(b) - rankOf(a))
    shown = key
    rendered = received
    isLost = false
    const body = page.body.cloneNode(true)
    const list = body.querySelector('#instances')
    list.hidden = instances.size < 2
    list.append(...[...instances.values()].map(itemOf))
    document.title = page.title
    update($('link[rel=icon]'), page.icon)
    update(document.body, body)
    addKey()
    showAges()
  }

  const poll = () => {
    const request = new XMLHttpRequest()
    // The policy of trusted types allows no other way to parse a page.
    request.responseType = 'document'
    request.timeout = 150_000
    request.open('GET', location.href)
    if (!isLost) request.setRequestHeader('if-none-match', [...instances.values()].map(({ etag }) => etag).join(', '))
    request.addEventListener('loadend', () => {
      isWaiting = false
      const page = request.response
      const etag = request.getResponseHeader('etag')
      const known = request.status === 304 && [...instances.values()].find((each) => each.etag === etag)
      // Missed polls trigger the lost-connection state.
      if (!known && !page?.body?.dataset.etag) return
      lastResponse = seconds()
      responses += 1
      if (known) Object.assign(known, { seen: lastResponse, response: responses })
      // Another build of the service has another script.
      else if (page.scripts[0].text !== document.scripts[0].text) return location.reload()
      else {
        if (isLost) instances.clear()
        meet(page)
      }
      show()
    })
    lastRequest = seconds()
    isWaiting = true
    request.send()
  }

  // A run may take as long as a token attempt. Until then, the health route shows that the service is alive.
  const checkHealth = async () => {
    try {
      const response = await fetch('api/health', { redirect: 'error', signal: AbortSignal.timeout(5000) })
      if ((await response.json()).checks && isWaiting) lastResponse = seconds()
    } catch {
      // `tick` detects missing responses by the time since the last one.
    }
  }

  const showLost = () => {
    isLost = true
    const [verdict, age] = [$('h1 span'), document.createElement('time')]
    age.dataset.in = lastResponse - rendered
    $('.lead').replaceChildren('Last response ', age, `: ${verdict.textContent}. Everything below may be out of date.`)
    verdict.textContent = 'No response'
    document.title = `No response · was ${document.title}`
    document.body.classList.add('lost')
    $('#live').textContent = 'The service does not respond.'
  }

  let ticks = 0
  const tick = () => {
    if (!document.hidden && !isLost && seconds() - lastResponse >= silenceLimit) showLost()
    showAges()
    if (document.hidden) return
    if (!isWaiting && seconds() - lastRequest >= document.body.dataset.every - 0.5) poll()
    else if (isWaiting && ++ticks % 4 === 0) void checkHealth()
  }
  setInterval(tick, 1000)
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    // A hidden page doesn't poll, so the last response may be old.
    lastResponse = Math.max(lastResponse, seconds() - silenceLimit + 5)
    if (!isWaiting) poll()
  })
})()
