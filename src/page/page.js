;(() => {
  const $ = (id) => document.getElementById(id)
  const { mark, every } = document.body.dataset
  const key = new URLSearchParams(location.search).get('code')
  const withKey = (path) => (key ? path + '?code=' + encodeURIComponent(key) : path)
  for (const a of document.querySelectorAll('a[data-api]')) a.href = withKey(a.getAttribute('href'))

  for (const button of document.querySelectorAll('[data-copy]')) {
    button.hidden = false
    const label = button.textContent
    button.addEventListener('click', async () => {
      const source = $(button.dataset.copy)
      const text = source.value ?? source.textContent
      try {
        await navigator.clipboard.writeText(text)
        button.textContent = 'Copied'
      } catch {
        const details = source.closest('details')
        if (details) details.open = true
        if (source.select) source.select()
        else getSelection().selectAllChildren(source)
        button.textContent = document.execCommand('copy') ? 'Copied' : 'Selected, now copy it'
      }
      setTimeout(() => {
        button.textContent = label
      }, 3000)
    })
  }

  const clock = document.querySelector('[data-left]')
  const ends = clock && performance.now() + clock.dataset.left * 1000
  if (clock)
    setInterval(() => {
      const left = Math.max(0, Math.round((ends - performance.now()) / 1000))
      clock.textContent = Math.floor(left / 60) + ':' + String(left % 60).padStart(2, '0')
    }, 1000)

  const utc = (date) => date.toISOString().slice(11, 19) + ' UTC'
  const { title } = document
  let seen = new Date()
  let asking = false
  const look = async () => {
    if (asking || document.hidden) return
    asking = true
    try {
      const signal = AbortSignal.timeout(150000)
      const answer = await fetch(withKey('api/diagnostics'), { cache: 'no-store', redirect: 'error', signal })
      if (!answer.ok) throw new Error(answer.status)
      const { status, token } = await answer.json()
      if ([status, token.status, token.error?.code, token.signIn?.userCode].join(' ') !== mark) {
        $('live').textContent = 'The state has changed. Loading it.'
        location.reload()
        return
      }
      seen = new Date()
      document.body.classList.remove('stale')
      document.title = title
      $('live').textContent = ''
      $('confirmed').textContent = 'still so at ' + utc(seen)
    } catch {
      document.body.classList.add('stale')
      document.title = 'No answer, was ' + title
      $('live').textContent =
        'No answer from the service since ' + utc(seen) + '. What stands here may no longer be so.'
    } finally {
      asking = false
    }
  }
  setInterval(look, every * 1000)
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && new Date() - seen > every * 1000) void look()
  })
})()
