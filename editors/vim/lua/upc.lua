-- The built-in client of Neovim, from 0.7 on, with upc-language-server.
--
--     vim.g.upc_language_server = 0                       -- in init.lua: without it
--     vim.g.upc_server = '/path/to/upc-language-server'   -- not in PATH
--     vim.g.upc_settings = { arguments = { '-T', '4' }, remarks = 'hints' }
local M = {}

local clients = {} -- by root

-- The folder of compile_commands.json or of the repository, or that of the file
local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ':p:h')
  local above = folder
  while true do
    for _, name in ipairs({ 'compile_commands.json', 'build/compile_commands.json', '.git' }) do
      if vim.loop.fs_stat(above .. '/' .. name) then
        return above
      end
    end
    local next_above = vim.fn.fnamemodify(above, ':h')
    if next_above == above then
      return folder
    end
    above = next_above
  end
end

function M.start()
  local buffer = vim.api.nvim_get_current_buf()
  local path = vim.api.nvim_buf_get_name(buffer)
  local server = vim.g.upc_server or 'upc-language-server'
  if path == '' or vim.fn.executable(server) == 0 then
    return
  end
  local root = root_of(path)
  local config = {
    name = 'upc-language-server',
    cmd = { server },
    root_dir = root,
    init_options = { upc = vim.g.upc_settings or vim.empty_dict() },
  }
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = buffer })
  else
    clients[root] = clients[root] or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
  if vim.lsp.inlay_hint and vim.lsp.inlay_hint.enable then
    vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  end
end

return M
