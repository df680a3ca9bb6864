// A receiver of events, and the two libraries with which receivers verify them.
import { createServer } from 'node:http'
import { Webhook as Standard, WebhookVerificationError as StandardRefusal } from 'standardwebhooks'
import { Webhook as Svix, WebhookVerificationError as SvixRefusal } from 'svix'

/** Each library with the headers that it is named after, and no others. */
const LIBRARIES = [
  { name: 'standardwebhooks', of: secret => new Standard(secret), prefix: 'webhook-', refusal: StandardRefusal },
  { name: 'svix', of: secret => new Svix(secret), prefix: 'svix-', refusal: SvixRefusal },
]

/** The names of the libraries that accept it; whatever else they do but refuse is thrown. */
export function accepting(secret, { headers, body }) {
  return LIBRARIES.filter(({ of, prefix, refusal }) => {
    try {
      of(secret).verify(body, Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(prefix))))
      return true
    } catch (fault) {
      if (fault instanceof refusal) return false
      throw fault
    }
  }).map(library => library.name)
}

export class Receiver {
  /** What arrived, by path. */
  got = {}
  /** The statuses that a path answers next; 204 when there are none. */
  next = {}

  static async start() {
    const receiver = new Receiver()
    receiver.server = createServer(async (request, response) => {
      const parts = []
      for await (const part of request) parts.push(part)
      ;(receiver.got[request.url] ??= []).push({ headers: request.headers, body: Buffer.concat(parts).toString() })
      response.writeHead(receiver.next[request.url]?.shift() ?? 204).end()
    })
    await new Promise(resolve => receiver.server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  address(path) {
    return `http://127.0.0.1:${this.server.address().port}${path}`
  }

  at(path) {
    return this.got[path] ?? []
  }

  close() {
    this.server.close()
    this.server.closeAllConnections()
  }
}
