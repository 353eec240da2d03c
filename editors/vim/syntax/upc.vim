" UPC is C and a few words.
if exists('b:current_syntax')
    finish
endif
runtime! syntax/c.vim
unlet! b:current_syntax

syntax keyword upcQualifier shared strict relaxed
syntax keyword upcThreads THREADS MYTHREAD UPC_MAX_BLOCK_SIZE
syntax keyword upcRepeat upc_forall
syntax keyword upcSynchronisation upc_barrier upc_notify upc_wait upc_fence
syntax keyword upcOperator upc_localsizeof upc_blocksizeof upc_elemsizeof
syntax match upcType "\<upc_\(lock\|flag\|op\|type\|coll_handle\|atomicdomain\|file\|off\|async\|handle\|thread_info\|tick\)\w*_t\>"
syntax match upcConstant "\<B\?UPC_[A-Z][A-Z0-9_]*\>"
syntax match upcFunction "\<b\?upc_[a-z]\w*\>\ze\s*("
syntax match upcPragma "^\s*#\s*pragma\s\+upc\s\+\(strict\|relaxed\|c_code\|upc_code\)\>"

highlight default link upcQualifier StorageClass
highlight default link upcThreads Constant
highlight default link upcRepeat Repeat
highlight default link upcSynchronisation Statement
highlight default link upcOperator Operator
highlight default link upcType Type
highlight default link upcConstant Constant
highlight default link upcFunction Function
highlight default link upcPragma PreProc

let b:current_syntax = 'upc'
