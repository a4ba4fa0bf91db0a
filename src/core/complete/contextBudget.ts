// `contextBudget`: how many characters a prompt may hold beside its own document, about 1,200 tokens in all.

export const contextBudget = {
  /** Declarations, cells of a notebook, pieces of open files, in this order. */
  lasting: 3_400,
  /** So much more may stay, because taking a piece out makes a server read all that comes behind it again. */
  surplus: 1_700,
  declarations: 1_500,
  cells: 1_800,
  /** Of these, the ones below. */
  cellsBelow: 400,
  /** The last edits, problems, what was copied, in this order; they change often, so they never displace the others. */
  recent: 1_400,
}
