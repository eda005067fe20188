// Rules of this repository for oxlint (.oxlintrc.json). JavaScript, because oxlint may run on a Node that strips no types.

/** The names under which the sources pass environment variables. */
const isEnvironment = (node) =>
  (node.type === 'Identifier' && /^(env|environment|processEnv)$/.test(node.name)) ||
  (node.type === 'MemberExpression' && node.object.name === 'process' && node.property.name === 'env')

/** `env[name]` would read a value that another package put on Object.prototype, and a blank variable as set. */
const readVariables = {
  create: (context) => ({
    MemberExpression(node) {
      const isWritten = node.parent.type === 'AssignmentExpression' && node.parent.left === node
      if (node.computed && !isWritten && isEnvironment(node.object))
        context.report({ node, message: 'Read variables with readVariable of src/lib/base/env.ts.' })
    },
  }),
}

/** A collection of a module grows as long as the process runs. A comment above it names what bounds it. */
const boundCollections = {
  create: (context) => ({
    VariableDeclaration(node) {
      if (node.parent.type !== 'Program') return
      const isEmpty = ({ init }) =>
        init?.type === 'NewExpression' && ['Map', 'Set'].includes(init.callee.name) && init.arguments.length === 0
      const comments = context.sourceCode.getCommentsBefore(node)
      if (node.declarations.some(isEmpty) && !comments.some(({ value }) => /\bbound/i.test(value)))
        context.report({ node, message: 'Bound this collection, and say in a comment above it what bounds it.' })
    },
  }),
}

// oxlint-disable-next-line import/no-default-export -- oxlint takes a plugin only so.
export default {
  meta: { name: 'repository' },
  rules: { 'read-variables': readVariables, 'bound-collections': boundCollections },
}
