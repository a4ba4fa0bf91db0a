// Where the website publishes what programs read.
export const catalogPath = '/.well-known/api-catalog'

export const openapiPath = '/openapi.json'

/** The name of the setup skill is that of its folder. */
export const skillName = 'kourier-setup'

export const skillPath = `/.well-known/agent-skills/${skillName}/SKILL.md`
