// Questions in GraphQL by GitHub's published schema: the question, its variables, and the shape of the answer.
import { isDeepStrictEqual } from 'node:util'
import { schema as published } from '@octokit/graphql-schema'
import { buildSchema, execute, parse, validate } from 'graphql'

export class Questions {
  constructor() {
    this.schema = buildSchema(published.idl, { assumeValid: true })
  }

  request({ body }) {
    let document
    try {
      document = parse(body.query)
    } catch (e) {
      return [{ place: 'query', why: e.message }]
    }
    const faults = validate(this.schema, document).map(e => ({ place: 'query', why: e.message }))
    return faults.length ? faults : this.#executed(body, {}).filter(e => /^Variable /.test(e.why))
  }

  /** The answer has just what was asked for: asked of the answer itself, the question gives the answer. */
  answer({ body, status, answer }) {
    if (status !== 200) return [401, 403, 429].includes(status) || status >= 500 ? [] : [{ place: 'status', why: 'is not described' }]
    if (answer.errors) return []
    return this.#executed(body, answer.data, answer.data)
  }

  #executed(body, rootValue, wanted) {
    const result = execute({
      schema: this.schema,
      document: parse(body.query),
      rootValue,
      variableValues: body.variables,
      typeResolver: (value, _context, info, type) => value.__typename ?? info.schema.getPossibleTypes(type)[0].name,
    })
    const faults = (result.errors ?? []).map(e => ({ place: 'answer/' + (e.path ?? []).join('/'), why: e.message }))
    if (faults.length || wanted === undefined) return faults
    const same = isDeepStrictEqual(JSON.parse(JSON.stringify(result.data)), wanted)
    return same ? [] : [{ place: 'answer', why: 'has more or less than was asked for' }]
  }
}
