function fib(n)
    if n < 2 then return n end
    return fib(n - 1) + fib(n - 2)
end
function fib_of_20() return fib(20) end
