" UPC: the settings of C, and in Neovim the language server
if exists('b:did_ftplugin')
    finish
endif
runtime! ftplugin/c.vim
let b:undo_ftplugin = get(b:, 'undo_ftplugin', '')

" gf and :make
setlocal suffixesadd+=.upc,.uph,.h
if !filereadable('Makefile') && !filereadable('makefile')
    setlocal makeprg=upcc\ -fsyntax-only\ %:S
    let b:undo_ftplugin .= ' | setlocal makeprg<'
endif

if has('nvim') && get(g:, 'upc_language_server', 1)
    lua require('upc').start()
endif
