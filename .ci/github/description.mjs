// GitHub's published description: finds the operation of a request, and says what of an exchange is not as described.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import Ajv from 'ajv'
import formats from 'ajv-formats'

const require = createRequire(import.meta.url)

/** What any operation may answer, whether its description says so or not. */
const GENERAL = new Set([304, 401, 403, 404, 422, 429])

const UNKNOWN = 'is not described'

export class Description {
  /** By the name of the file in @octokit/openapi. */
  constructor(name) {
    this.name = name
    const folder = require.resolve('@octokit/openapi/package.json').replace(/package\.json$/, 'generated/')
    this.document = JSON.parse(readFileSync(folder + name + '.json', 'utf8'))
    this.version = this.document.info.version
    this.ajv = validator({ allErrors: true })
    this.converting = validator({ allErrors: true, coerceTypes: 'array' })
    for (const [id, schema] of Object.entries(this.document.components.schemas)) {
      const plain = withNull(schema)
      this.document.components.schemas[id] = plain
      this.ajv.addSchema(plain, 'schema:' + id)
      this.converting.addSchema(plain, 'schema:' + id)
    }
    this.compiled = new Map()
    this.operations = this.#operations()
  }

  #operations() {
    const found = []
    for (const [template, methods] of Object.entries(this.document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const parameters = (operation.parameters ?? []).map(p => this.#resolve(p))
        const many = new Set(parameters.filter(p => p['x-multi-segment']).map(p => p.name))
        const names = []
        const pattern = template.replace(/[.+]/g, '\\$&').replace(/\{([^}]+)\}/g, (_, name) => {
          names.push(name)
          return many.has(name) ? '(.+)' : '([^/]+)'
        })
        found.push({ ...operation, method: method.toUpperCase(), template, parameters, names, pattern: new RegExp('^' + pattern + '$') })
      }
    }
    // The more of a path an operation names, the better it fits; the shortest wild card first.
    return found.sort((a, b) => a.names.length - b.names.length || b.template.length - a.template.length)
  }

  #resolve(part) {
    let found = part
    while (found.$ref) found = found.$ref.slice(2).split('/').reduce((at, name) => at[name], this.document)
    return found
  }

  operation(method, path) {
    return this.operations.find(o => o.method === method && o.pattern.test(path))
  }

  /** The first example of a good answer, with its status. */
  example(operation) {
    const [status, answer] = Object.entries(operation.responses).find(([code]) => code.startsWith('2'))
    const [example] = Object.values(this.#resolve(answer).content?.['application/json']?.examples ?? {})
    return { status: Number(status), json: example && this.#resolve(example).value }
  }

  /** The faults of a request, each with its place. */
  request(operation, { path, query, headers, body }) {
    const faults = []
    const values = operation.pattern.exec(path).slice(1).map(decodeURIComponent)
    operation.names.forEach((name, i) => faults.push(...this.#parameter(operation, 'path', name, values[i])))
    const asked = new URLSearchParams(query ?? '')
    for (const name of new Set(asked.keys())) {
      const all = asked.getAll(name)
      if (all.length > 1) faults.push(fault('query ' + name, 'is given ' + all.length + ' times'))
      faults.push(...this.#parameter(operation, 'query', name, all[0]))
    }
    for (const needed of operation.parameters.filter(p => p.in === 'query' && p.required && !asked.has(p.name))) {
      faults.push(fault('query ' + needed.name, 'is required'))
    }
    if (!headers['user-agent']) faults.push(fault('header user-agent', 'is required'))
    return [...faults, ...this.#body(operation, headers, body)]
  }

  #parameter(operation, where, name, value) {
    const place = where + ' ' + name
    const parameter = operation.parameters.find(p => p.in === where && p.name === name)
    if (!parameter) return [fault(place, UNKNOWN)]
    const most = /\(max (\d+)\)/.exec(parameter.description ?? '')
    if (most && Number(value) > Number(most[1])) return [fault(place, 'is at most ' + most[1])]
    const validate = this.#validate(this.converting, parameter.schema)
    return validate({ value }) ? [] : errors(validate.errors, place)
  }

  #body(operation, headers, body) {
    const described = operation.requestBody && this.#resolve(operation.requestBody)
    const empty = body === undefined || (typeof body === 'object' && Object.keys(body).length === 0)
    if (!described) return empty ? [] : [fault('body', UNKNOWN)]
    if (body === undefined) return described.required ? [fault('body', 'is required')] : []
    if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return [fault('header content-type', 'is not JSON')]
    const content = described.content['application/json']
    return content ? this.#value(content.schema, body, 'body') : [fault('body', 'is not described as JSON')]
  }

  /** The faults of an answer. */
  answer(operation, { headers, status, answer }) {
    const described = operation.responses[status] && this.#resolve(operation.responses[status])
    if (status === 304) {
      const free = headers['if-none-match'] && answer === undefined
      return free ? [] : [fault('answer', 'is 304 with a body, or to a request without if-none-match')]
    }
    if (!described && !GENERAL.has(status) && status < 500) return [fault('status', UNKNOWN)]
    const content = described ? described.content : { 'application/json': { schema: { $ref: '#/components/schemas/basic-error' } } }
    const json = content && (content['application/json'] ?? Object.entries(content).find(([type]) => type.includes('json'))?.[1])
    if (!json) return answer === undefined ? [] : [fault('answer', 'has no body by the description')]
    if (answer === undefined) return [fault('answer', 'is empty')]
    const faults = this.#value(json.schema, answer, 'answer')
    // Errors say more than is described: a status, and whatever helps.
    return status < 400 ? faults : faults.filter(f => f.why !== UNKNOWN)
  }

  #value(schema, value, place) {
    const validate = this.#validate(this.ajv, schema)
    return validate({ value }) ? this.#unknown([withNull(schema)], value, place) : errors(validate.errors, place)
  }

  #validate(ajv, schema) {
    const key = (ajv === this.ajv ? '' : 'converting ') + JSON.stringify(schema)
    if (!this.compiled.has(key)) this.compiled.set(key, ajv.compile({ properties: { value: withNull(schema) } }))
    return this.compiled.get(key)
  }

  /** Fields that no described alternative has; where any field may be, there are none. */
  #unknown(schemas, value, place) {
    const all = schemas.flatMap(s => this.#alternatives(s))
    if (Array.isArray(value)) {
      const items = all.map(s => s.items).filter(Boolean)
      return items.length ? value.flatMap((one, i) => this.#unknown(items, one, place + '/' + i)) : []
    }
    if (value === null || typeof value !== 'object') return []
    const objects = all.filter(s => s.properties)
    const open = objects.length === 0 || all.some(s => s.additionalProperties)
    return Object.entries(value).flatMap(([name, inner]) => {
      const known = objects.map(s => s.properties[name]).filter(Boolean)
      if (known.length) return this.#unknown(known, inner, place + '/' + name)
      return open ? [] : [fault(place + '/' + name, UNKNOWN)]
    })
  }

  #alternatives(schema) {
    if (schema.$ref) return this.#alternatives(this.document.components.schemas[schema.$ref.replace(/^schema:/, '')])
    return [schema, ...[schema.allOf, schema.anyOf, schema.oneOf].flatMap(l => (l ?? []).flatMap(s => this.#alternatives(s)))]
  }
}

const fault = (place, why) => ({ place, why })

function validator(options) {
  const ajv = new Ajv({ strict: false, logger: false, verbose: true, ...options })
  formats(ajv)
  return ajv
}

/** A schema of OpenAPI 3.0 as one of JSON Schema: null by its type, references by the names that Ajv has for them. */
function withNull(schema) {
  if (Array.isArray(schema)) return schema.map(withNull)
  if (schema === null || typeof schema !== 'object') return schema
  if (schema.$ref) return { $ref: schema.$ref.replace('#/components/schemas/', 'schema:') }
  const { nullable, example, examples, discriminator, properties, ...rest } = schema
  const plain = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, withNull(part)]))
  if (properties) plain.properties = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, withNull(part)]))
  return nullable === true ? { anyOf: [plain, { type: 'null' }] } : plain
}

/**
 * One fault for each place. Of alternatives that are told apart by a field with one value, only those with that value
 * are spoken of, of others the one with the fewest faults, and the choice itself only where nothing better is to say.
 */
function errors(list, place) {
  const others = new Set(list.filter(e => e.params.allowedValues?.length === 1).map(alternative))
  const choices = list.filter(e => ['anyOf', 'oneOf'].includes(e.keyword))
  const telling = choices.reduce(nearest, list.filter(e =>
    !choices.includes(e) && e.params.type !== 'null' && !(others.size > 1 && others.has(alternative(e)))))
  return (telling.length ? telling : list).map(e => fault(place + e.instancePath.replace(/^\/value/, ''), why(e)))
}

const alternative = error => error.schemaPath.split('/')[0]

function nearest(list, choice) {
  const inside = list.filter(e => e.instancePath.startsWith(choice.instancePath))
  const times = name => inside.filter(e => alternative(e) === name).length
  const best = inside.map(alternative).sort((a, b) => times(a) - times(b))[0]
  return list.filter(e => !inside.includes(e) || alternative(e) === best)
}

function why(error) {
  const values = error.params.allowedValues
  return values ? `is ${JSON.stringify(error.data)}, not one of ${values.join(', ')}` : error.message
}
