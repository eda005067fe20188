/*
 * The page's script, inlined and known to the browser by its hash. It adds comfort only: ages that go on, a countdown, copy buttons, and a
 * look at the report now and then, so that a page on a wall never goes on showing what is no longer so. The function key stays in the address
 * it came in; it is put into links and requests here and never into the page.
 */
;(() => {
  const $ = (id) => document.getElementById(id)
  const { mark, checked, every } = document.body.dataset
  const key = new URLSearchParams(location.search).get('code')
  const withKey = (path) => (key ? path + '?code=' + encodeURIComponent(key) : path)
  for (const a of document.querySelectorAll('a[data-api]')) a.href = withKey(a.getAttribute('href'))

  // Seconds since the page was made. The clock of this machine may differ from the service's, and may be set.
  const seconds = () => performance.now() / 1000

  const lengthText = (seconds) => {
    const [size, unit] =
      seconds < 90
        ? [1, 's']
        : seconds < 5400
          ? [60, 'min']
          : seconds <= 172800
            ? [3600, 'h']
            : seconds < 86400000
              ? [86400, 'days']
              : [31557600, 'years']
    return Math.round(seconds / size) + ' ' + unit
  }
  const distanceText = (from) => (!from ? 'now' : from < 0 ? lengthText(-from) + ' ago' : 'in ' + lengthText(from))
  const clockText = (left) => Math.floor(left / 60) + ':' + String(left % 60).padStart(2, '0')

  for (const button of document.querySelectorAll('[data-copy]')) {
    button.hidden = false
    const label = button.textContent
    button.addEventListener('click', async () => {
      const source = $(button.dataset.copy)
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
  }

  // A link to a folded row opens what it is folded in, in browsers that do not do so themselves.
  const unfold = () => {
    const row = $(location.hash.slice(1))
    const details = row && row.closest('details')
    if (details && !details.open) {
      details.open = true
      row.scrollIntoView()
    }
  }
  addEventListener('hashchange', unfold)
  unfold()

  // Whoever points at a bar of the history reads its time, verdict and code in place of the sum.
  const strip = document.querySelector('.strip')
  if (strip) {
    const sum = document.querySelector('.axis summary')
    const [sumText, times] = [sum.textContent, strip.dataset.times.split(' ')]
    strip.addEventListener('pointermove', ({ target, clientX }) => {
      const { left, width } = strip.getBoundingClientRect()
      const time = times[Math.floor(((clientX - left) / width) * 96) - 96 + times.length]
      const { run } = target.dataset
      sum.textContent = run && time ? time + ' UTC ' + run : sumText
    })
    strip.addEventListener('pointerleave', () => {
      sum.textContent = sumText
    })
  }

  const title = document.title
  const [heading, lead] = [document.querySelector('h1 span'), document.querySelector('.lead')]
  const [verdict, leadText] = [heading.textContent, lead.textContent]
  const patience = 15
  let answered = seconds()
  let touched = false
  let lost = false

  const showLost = () => {
    const age = lengthText(seconds() - answered)
    lead.textContent = 'Last seen ' + age + ' ago: ' + verdict + '. What stands below may no longer be so.'
    if (lost) return
    lost = true
    document.body.classList.add('lost')
    heading.textContent = 'NO ANSWER'
    document.title = 'NO ANSWER · was ' + title
    $('live').textContent = 'The service does not answer.'
  }
  const showFound = () => {
    answered = seconds()
    if (!lost) return
    lost = false
    document.body.classList.remove('lost')
    heading.textContent = verdict
    lead.textContent = leadText
    document.title = title
    $('live').textContent = ''
  }

  const hashOf = (text) => {
    let hash = 5381
    for (let index = 0; index < text.length; index++) hash = (hash * 33) ^ text.charCodeAt(index)
    return hash
  }
  let asking = 0
  let looked = 0
  const look = async () => {
    asking = looked = seconds()
    try {
      const signal = AbortSignal.timeout(150000)
      const answer = await fetch(withKey('api/diagnostics'), { cache: 'no-store', redirect: 'error', signal })
      if (!answer.ok) return
      const { status, token, checks, checkedAt } = await answer.json()
      const codes = checks
        .filter((check) => check.status === 'fail' || check.status === 'warn')
        .map((check) => [check.id, check.code])
      showFound()
      const state = JSON.stringify([status, token.status, token.error?.code, token.signIn?.userCode, codes])
      const changed = String(hashOf(state)) !== mark
      // Times, bars and history are those of the picture, so a newer one is loaded too, unless somebody is reading this one.
      if (changed || (checkedAt !== checked && !touched)) location.reload()
    } catch {
      // Counted by its absence.
    } finally {
      asking = 0
    }
  }

  // A look may take as long as a token attempt; meanwhile the health of the service tells whether it is alive.
  const listen = async () => {
    try {
      const answer = await fetch('api/health', {
        cache: 'no-store',
        redirect: 'error',
        signal: AbortSignal.timeout(5000),
      })
      if (asking && (await answer.json()).checks) showFound()
    } catch {
      // Counted by its absence.
    }
  }

  const ages = document.querySelectorAll('[data-in]')
  const timer = document.querySelector('[data-left]')
  let ticks = 0
  const tick = () => {
    for (const age of ages) age.textContent = distanceText(Math.round(age.dataset.in - seconds()))
    if (timer) timer.textContent = clockText(Math.max(0, Math.round(timer.dataset.left - seconds())))
    if (document.hidden) return
    if (!asking && seconds() - looked >= every - 0.5) void look()
    else if (asking && seconds() - asking > 3 && ++ticks % 4 === 0) void listen()
    if (seconds() - answered >= patience) showLost()
  }
  setInterval(tick, 1000)
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    // Nobody was asked while nobody looked.
    answered = Math.max(answered, seconds() - patience + 5)
    if (!asking) void look()
  })
  for (const kind of ['pointerdown', 'keydown']) {
    addEventListener(kind, () => {
      touched = true
    })
  }
})()
