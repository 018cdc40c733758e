function sieve()
    local prime = {}
    for n = 0, 9999 do prime[n] = true end
    local found = 0
    for n = 2, 9999 do
        if prime[n] then
            found = found + 1
            for multiple = n * n, 9999, n do prime[multiple] = false end
        end
    end
    return found
end
