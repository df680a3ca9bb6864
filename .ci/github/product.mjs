// The product by its doors, and waiting for what it does.
import assert from 'node:assert/strict'

export const url = process.env.MAINSTAY_URL

export async function call(operation, body) {
  const answer = await fetch(`${url}/v1/${operation}`, {
    method: 'POST',
    headers: { 'x-api-token': process.env.MAINSTAY_TOKEN, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  assert.equal(answer.status, 200, `${operation}: ${text}`)
  return JSON.parse(text)
}

/** Asks until the answer is good: at most two minutes, since neighbours may have the machine. */
export async function until(what, ask, good) {
  const end = Date.now() + 120_000
  for (;;) {
    const found = await ask()
    if (good(found)) {
      console.log('ok:', what)
      return found
    }
    assert(Date.now() < end, `${what}: not within two minutes, but ${JSON.stringify(found)}`)
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

export function expect(what, got, wanted) {
  assert.deepEqual(got, wanted, what)
  console.log('ok:', what)
}
